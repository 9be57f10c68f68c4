import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { aDrawing } from '../../../testing/console/builders';
import { adminCall, never, unauthorized } from '../../../testing/console/handlers';
import { part, renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import {
  installDrawing,
  DRAWING,
  PERFORM,
  statsAre,
  historyIs,
  select,
  drawButton,
  openConfirmation,
  performing,
} from '../../../testing/console/drawing';

installDrawing();

describe('confirming', () => {
  it('says what will happen, from what, and that it cannot be undone', async () => {
    const { dialog } = await openConfirmation();
    expect(dialog).toHaveAccessibleDescription(
      /^This action cannot be undone and randomly selects a winner from all entries\./,
    );
    expect(dialog).toHaveAccessibleDescription(/Garden Bag Essentials.*1,204.*3,456/);
  });

  it('shows the newest figures', async () => {
    const { user } = renderAdmin(DRAWING);
    await user.selectOptions(await select(), 'garden-bag');
    server.use(
      statsAre({ 'garden-bag': { users: 1_205, totalEntries: 3_457, averageEntries: 2.9 } }),
    );
    await user.click(await drawButton());
    const dialog = await screen.findByRole('alertdialog');
    await waitFor(() => expect(dialog).toHaveTextContent('Participants1,205'));
  });

  it('asks to wait only where that may be needed', async () => {
    server.use(
      statsAre({ 'garden-bag': { users: 9_999_999, totalEntries: 9_999_999, averageEntries: 1 } }),
    );
    const { dialog } = await openConfirmation();
    expect(dialog).toHaveTextContent('A drawing this large takes a while.');
  });

  it('can be left, and everything stays as it was', async () => {
    const sent = performing();
    const { user, dialog } = await openConfirmation();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(dialog).not.toBeInTheDocument();
    expect(await select()).toHaveValue('garden-bag');
    expect(await drawButton()).toHaveFocus();
    expect(sent).toEqual([]);
  });
});

describe('drawing', () => {
  it('shows who won, with the proof, and clears the choice', async () => {
    const sent = performing();
    const { user, dialog, confirm } = await openConfirmation();
    await user.click(confirm);
    expect(await toast()).toHaveTextContent(
      'Drawing Complete!Winner selected: 4567 (Entry #2,313)',
    );
    expect(dialog).not.toBeInTheDocument();
    const result = await part('Result of the drawing');
    expect(result).toHaveFocus();
    expect(result.closest('[aria-live]')).toHaveAttribute('aria-live', 'polite');
    expect(result).toHaveTextContent(
      'Winner of Garden Bag EssentialsEntry #2,313of 3,456 entries***-***-4567',
    );
    expect(result).not.toHaveTextContent('555123');
    const proof = within(result).getByRole('link', { name: /See the proof/ });
    expect(proof).toHaveAttribute('href', '/drawings/7');
    expect(proof).toHaveAttribute('target', '_blank');
    expect(await select()).toHaveValue('');
    expect(sent.map(({ body }) => body)).toEqual([{ landingPage: 'garden-bag' }]);
  });

  it('fetches the statistics and the history again', async () => {
    performing();
    const { user, confirm } = await openConfirmation();
    expect(await screen.findByText('No drawings performed yet')).toBeInTheDocument();
    server.use(statsAre({}), historyIs([aDrawing()]));
    await user.click(confirm);
    expect(await screen.findByRole('table', { name: /winners/ })).toHaveTextContent('2,313');
    expect(await screen.findByText(/no raffle has participants/)).toBeInTheDocument();
  });

  it('sends a double click once, and says that it draws', async () => {
    let calls = 0;
    server.use(
      adminCall('post', 'drawing/perform', async () => {
        calls += 1;
        await never();
        return {};
      }),
    );
    const { user, dialog, confirm } = await openConfirmation();
    await user.dblClick(confirm);
    // The dialog's and the card's.
    expect(await screen.findAllByRole('button', { name: 'Drawing...' })).toHaveLength(2);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(dialog).toBeInTheDocument();
    expect(dialog).toHaveAttribute('closedby', 'none'); // so that a second Escape does nothing either
    expect(calls).toBe(1);
  });

  it('has one key for each dialog, also for a second try in it', async () => {
    const { user, confirm, dialog } = await openConfirmation();
    const keys: (string | null)[] = [];
    server.use(
      http.post(`*${PERFORM}`, ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return HttpResponse.error();
      }),
    );
    await user.click(confirm);
    expect(await within(dialog).findByText(/could not be reached/)).toHaveAttribute(
      'role',
      'alert',
    );
    expect(dialog).toHaveTextContent('It is safe to try again: nobody is drawn twice.');
    const sent = performing();
    await user.click(confirm);
    expect(await part('Result of the drawing')).toBeInTheDocument();
    await user.selectOptions(await select(), 'fresh-sips');
    await user.click(await drawButton());
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: /^Draw/ }),
    );
    await waitFor(() => expect(sent).toHaveLength(2));
    const [again, other] = sent.map(({ key }) => key);
    expect(keys).toEqual([again]);
    expect(again).toMatch(/^[\x21-\x7e]{12,255}$/);
    expect(other).toMatch(/^[\x21-\x7e]{12,255}$/);
    expect(other).not.toBe(again);
  });

  it.each([
    ['Nobody can be drawn: this raffle has no participants.', 409],
    ['Something broke', 500],
  ])('shows the failure “%s”, and can be tried again', async (error, status) => {
    server.use(refusing(PERFORM, status, { error, code: 'code' }));
    const { user, dialog, confirm } = await openConfirmation();
    await user.click(confirm);
    expect(await toast()).toHaveTextContent(`Drawing Failed${error}`);
    const alert = within(dialog).getByRole('alert');
    expect(alert).toHaveTextContent(error);
    expect(alert.textContent?.includes('It is safe to try again')).toBe(status === 500);
    expect(confirm).toHaveTextContent('Draw Winner');
    expect(confirm).not.toHaveAttribute('aria-disabled');
    performing();
    await user.click(confirm);
    expect(await part('Result of the drawing')).toBeInTheDocument();
  });

  it('shows its own message when the server gives none', async () => {
    server.use(http.post(`*${PERFORM}`, () => HttpResponse.error()));
    const { user, confirm } = await openConfirmation();
    await user.click(confirm);
    expect(await toast()).toHaveTextContent('Drawing FailedFailed to perform drawing');
  });

  it('fetches the history again when it may have succeeded', async () => {
    server.use(http.post(`*${PERFORM}`, () => HttpResponse.error()));
    const { user, confirm } = await openConfirmation();
    await screen.findByText('No drawings performed yet');
    server.use(historyIs([aDrawing()]));
    await user.click(confirm);
    expect(await screen.findByRole('table', { name: /winners/ })).toHaveTextContent('2,313');
  });

  it('forgets a failure with its dialog', async () => {
    server.use(refusing(PERFORM, 409, { error: 'Nobody can be drawn' }));
    const { user, dialog, confirm } = await openConfirmation();
    await user.click(confirm);
    await within(dialog).findByText('Nobody can be drawn');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await user.click(await drawButton());
    expect(within(await screen.findByRole('alertdialog')).getByRole('alert')).toBeEmptyDOMElement();
  });

  it('ends at the sign-in screen where the session does', async () => {
    server.use(http.post(`*${PERFORM}`, unauthorized));
    const { user, confirm } = await openConfirmation();
    await user.click(confirm);
    expect(await screen.findByText(/Your session has ended/)).toBeInTheDocument();
  });

  it('may take two minutes', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.use(
      adminCall('post', 'drawing/perform', async () => {
        await delay(119_000);
        return aDrawing();
      }),
    );
    const { dialog, confirm } = await openConfirmation();
    fireEvent.click(confirm);
    await waitFor(() => expect(dialog).toHaveTextContent('Drawing...'));
    await act(() => vi.advanceTimersByTimeAsync(118_000));
    expect(dialog).toHaveTextContent('Drawing...');
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(await part('Result of the drawing')).toBeInTheDocument();
    vi.useRealTimers();
  });
});
