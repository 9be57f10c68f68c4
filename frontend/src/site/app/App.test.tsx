import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPath } from '../../testing/site/renderPath';
import { loadScreen } from './screen';

let tracked: { kind: string }[];

beforeEach(() => {
  tracked = [];
  window.tracked = { push: (event) => tracked.push(event) };
  return () => delete window.tracked;
});

/** What a browser does when a visitor follows a link within the page or goes back. */
function goTo(address: string) {
  history.pushState(null, '', address);
  return act(async () => {
    dispatchEvent(new PopStateEvent('popstate'));
    await loadScreen(location.pathname); // takes at least as long as the app's own call, which began before
  });
}

describe('history', () => {
  it('shows the screen of another path, focuses its title and counts a view', async () => {
    await renderPath('/garden-bag');
    await goTo('/ref/CDFG3467');
    await waitFor(() => expect(document.title).toMatch(/^A friend invited you/));
    expect(document.documentElement.dataset.palette).toBe('generic');
    const title = screen.getByRole('heading', { level: 1, name: /Garden Bag/ });
    await waitFor(() => expect(title).toHaveFocus());
    expect(tracked).toEqual([{ kind: 'page_view' }]);
  });

  it('shows nothing again, moves no focus and counts no view when only the hash changes', async () => {
    await renderPath('/garden-bag');
    const field = screen.getByLabelText('Phone number');
    field.focus();
    await goTo('/garden-bag#main');
    expect(field).toHaveFocus();
    expect(tracked).toEqual([]);
  });

  it('tells a hash from a path on the screens that follow, too', async () => {
    await renderPath('/garden-bag');
    await goTo('/ref/CDFG3467');
    await goTo('/ref/CDFG3467#main');
    expect(tracked).toHaveLength(1);
    await goTo('/garden-bag');
    expect(tracked).toHaveLength(2);
  });

  it('shows the page that the visitor ended on, not one that they passed', async () => {
    await renderPath('/garden-bag');
    history.pushState(null, '', '/ref/CDFG3467');
    dispatchEvent(new PopStateEvent('popstate'));
    await goTo('/garden-bag'); // before the other screen is loaded
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/Garden Bag/);
    expect(tracked).toEqual([]);
  });

  it('resets a page when the visitor comes back before the other one was rendered', async () => {
    await renderPath('/garden-bag');
    fireEvent.change(screen.getByLabelText('Phone number'), { target: { value: '5551234567' } });
    await act(async () => {
      // React renders at the end of this, as on a busy phone.
      for (const [views, path] of ['/ref/CDFG3467', '/garden-bag'].entries()) {
        history.pushState(null, '', path);
        dispatchEvent(new PopStateEvent('popstate'));
        await vi.waitFor(() => expect(tracked).toHaveLength(views + 1));
      }
    });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/Garden Bag/);
    expect(screen.getByLabelText('Phone number')).toHaveValue('');
  });

  it('leaves a page of another raffle to the server', async () => {
    await renderPath('/garden-bag');
    expect(await loadScreen('/fresh-sips')).toBeUndefined();
    expect(await loadScreen('/garden-bag/ref/CDFG3467')).toBeDefined();
  });
});
