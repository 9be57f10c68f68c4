import { fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toast } from '../../../testing/console/renderConsole';
import { installDrawing, openConfirmation, performing } from '../../../testing/console/drawing';

installDrawing();

describe('the drum', () => {
  /** An animation that runs until `finish` is called. */
  function animated() {
    let end = () => {};
    const finished = new Promise<void>((resolve) => (end = resolve));
    const finish = vi.fn(() => end());
    Element.prototype.getAnimations = () => [{ finished, finish } as unknown as Animation];
    return finish;
  }
  afterEach(() => {
    Reflect.deleteProperty(Element.prototype, 'getAnimations');
  });

  async function turn() {
    performing();
    const { user, confirm } = await openConfirmation();
    await user.click(confirm);
    await screen.findByText('Turning the drum...');
    expect(screen.queryByText(/Drawing Complete/)).not.toBeInTheDocument();
    return user;
  }

  it.each([
    ['a key', (user: Awaited<ReturnType<typeof turn>>) => user.keyboard(' ')],
    ['a click', (user: Awaited<ReturnType<typeof turn>>) => user.click(document.body)],
  ])('is stopped by %s', async (_, act) => {
    const finish = animated();
    const user = await turn();
    await act(user);
    expect(finish).toHaveBeenCalled();
    expect(await toast()).toHaveTextContent('Winner selected: 4567');
    expect(await screen.findByText('Entry #2,313')).toBeInTheDocument();
    finish.mockClear();
    await user.keyboard('a');
    expect(finish).not.toHaveBeenCalled();
  });

  it('ignores the key that confirmed while it is held down', async () => {
    const finish = animated();
    await turn();
    fireEvent.keyDown(document.body, { key: 'Enter', repeat: true });
    expect(finish).not.toHaveBeenCalled();
  });
});
