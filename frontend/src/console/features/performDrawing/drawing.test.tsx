import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aDrawing, landingPages } from '../../../testing/console/builders';
import { adminCall, never, TOKEN, unauthorized } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import type { DrawingView, RaffleStatisticsView } from '../../api/admin';

const DRAWING = '?section=drawing';
const PERFORM = '/api/admin/drawing/perform';
const HISTORY = '/api/admin/drawing/history';

const figures: Partial<Record<string, Partial<RaffleStatisticsView>>> = {
  'garden-bag': { users: 1_204, totalEntries: 3_456, averageEntries: 2.8704 },
  'fresh-sips': { users: 1, totalEntries: 3, averageEntries: 3 },
};

const statsAre = (known = figures) =>
  adminCall('get', 'drawing/stats', () => ({
    landingPageStats: landingPages.map((landingPage) => ({
      landingPage,
      users: 0,
      totalEntries: 0,
      averageEntries: 0,
      ...known[landingPage],
    })),
  }));

let asked: string[];
function historyIs(drawings: DrawingView[] | (() => DrawingView[]), total?: number) {
  return adminCall(
    'get',
    'drawing/history',
    (request) => {
      asked.push(new URL(request.url).search);
      return typeof drawings === 'function' ? drawings() : drawings;
    },
    total === undefined ? {} : { 'X-Total-Count': String(total) },
  );
}

beforeEach(() => {
  asked = [];
  server.use(statsAre(), historyIs([]));
});

const part = (name: string) => screen.findByRole('region', { name });
const select = () => screen.findByLabelText('Raffle');
const drawButton = async () =>
  within(await part('Perform Drawing')).findByRole('button', { name: /^Draw/ });

describe('the drawing section', () => {
  it('is the second in the menu, with a title of its own', async () => {
    renderAdmin(DRAWING);
    expect(await screen.findByRole('heading', { name: 'Random Drawing' })).toBeInTheDocument();
    const menu = screen.getByRole('navigation', { name: 'Sections' });
    const links = within(menu).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Analytics',
      'Drawing',
      'SMS Campaigns',
      'Settings',
    ]);
    expect(links[1]).toHaveAttribute('aria-current', 'page');
  });

  it('asks again for everything with Refresh', async () => {
    const { user } = renderAdmin(DRAWING);
    await select();
    server.use(
      statsAre({ 'fresh-sips': { users: 9, totalEntries: 9, averageEntries: 1 } }),
      historyIs([aDrawing()]),
    );
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByRole('option', { name: /Fresh Sips.*9 participants/ })).toBeEnabled();
    expect(await screen.findByRole('table', { name: /winners/ })).toBeInTheDocument();
  });
});

describe('the statistics', () => {
  const table = () => screen.findByRole('table', { name: /each raffle/ });

  it('say how many people and entries each raffle has', async () => {
    renderAdmin(DRAWING);
    expect(rowsOf(await table())).toEqual([
      ['Garden Bag Essentials', '1,204', '3,456', '2.9'],
      ['Fresh Sips Mixology Kit', '1', '3', '3.0'],
      ['Kitchen Garden Essentials', '0', '0', '0.0'],
      ['Sustainable Living Starter Kit', '0', '0', '0.0'],
    ]);
  });

  it('wait in their place', async () => {
    server.use(http.get('*/api/admin/drawing/stats', never));
    renderAdmin(DRAWING);
    for (const name of ['Raffle Statistics', 'Perform Drawing']) {
      expect(within(await part(name)).getByText('Loading...')).toBeInTheDocument();
    }
  });

  it('that did not arrive are asked for again', async () => {
    server.use(
      refusing('/api/admin/drawing/stats', 503, { error: 'Away' }, { 'Retry-After': '3' }),
    );
    const { user } = renderAdmin(DRAWING);
    const statistics = within(await part('Raffle Statistics'));
    expect(await statistics.findByRole('alert')).toHaveTextContent('try again in 3 seconds');
    server.use(statsAre());
    await user.click(statistics.getByRole('button', { name: 'Try again' }));
    expect(await table()).toBeInTheDocument();
    expect(await select()).toBeEnabled(); // they feed the other card too
  });
});

describe('choosing a raffle', () => {
  it('offers each with its participants, and none without', async () => {
    renderAdmin(DRAWING);
    const options = within(await select()).getAllByRole<HTMLOptionElement>('option');
    expect(options.map(({ label, disabled }) => [label, disabled])).toEqual([
      ['Choose a raffle', false],
      ['Garden Bag Essentials (1,204 participants)', false],
      ['Fresh Sips Mixology Kit (1 participant)', false],
      ['Kitchen Garden Essentials (0 participants)', true],
      ['Sustainable Living Starter Kit (0 participants)', true],
    ]);
  });

  it('shows what is drawn from', async () => {
    const { user } = renderAdmin(DRAWING);
    await user.selectOptions(await select(), 'garden-bag');
    expect(await part('Perform Drawing')).toHaveTextContent(
      'Selected raffleGarden Bag EssentialsParticipants1,204Total entries3,456',
    );
  });

  it('is asked for before anything is drawn', async () => {
    const { user } = renderAdmin(DRAWING);
    await user.click(await drawButton());
    const words = 'Please select a landing page/raffle to draw from';
    expect(await toast()).toHaveTextContent(`Select Raffle${words}`);
    expect(await select()).toHaveFocus();
    expect(await select()).toHaveAccessibleDescription(words);
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    await user.selectOptions(await select(), 'fresh-sips');
    expect(await select()).toBeValid();
  });

  it('says why there is nothing to choose', async () => {
    server.use(statsAre({}));
    renderAdmin(DRAWING);
    expect(await screen.findByText(/no raffle has participants/)).toBeInTheDocument();
  });
});

async function open(raffle = 'garden-bag') {
  const { user, ...rest } = renderAdmin(DRAWING);
  await user.selectOptions(await select(), raffle);
  await user.click(await drawButton());
  const dialog = await screen.findByRole('alertdialog', { name: 'Confirm Drawing' });
  return { user, dialog, confirm: within(dialog).getByRole('button', { name: /^Draw/ }), ...rest };
}

interface Performed {
  body: unknown;
  key: string | null;
}

function performing(drawing: Partial<DrawingView> = {}) {
  const sent: Performed[] = [];
  server.use(
    adminCall('post', 'drawing/perform', async (request) => {
      sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return aDrawing(drawing);
    }),
  );
  return sent;
}

describe('confirming', () => {
  it('says what will happen, from what, and that it cannot be undone', async () => {
    const { dialog } = await open();
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
    const { dialog } = await open();
    expect(dialog).toHaveTextContent('A drawing this large takes a while.');
  });

  it('can be left, and everything stays as it was', async () => {
    const sent = performing();
    const { user, dialog } = await open();
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
    const { user, dialog, confirm } = await open();
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

  it('asks for the statistics and the history again', async () => {
    performing();
    const { user, confirm } = await open();
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
    const { user, dialog, confirm } = await open();
    await user.dblClick(confirm);
    // The dialog's and the card's.
    expect(await screen.findAllByRole('button', { name: 'Drawing...' })).toHaveLength(2);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(dialog).toBeInTheDocument();
    expect(dialog).toHaveAttribute('closedby', 'none'); // so that a second Escape does nothing either
    expect(calls).toBe(1);
  });

  it('has one key for each dialog, also for what is tried again in it', async () => {
    const { user, confirm, dialog } = await open();
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
  ])('that failed with “%s” says so, and can be tried again', async (error, status) => {
    server.use(refusing(PERFORM, status, { error, code: 'code' }));
    const { user, dialog, confirm } = await open();
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

  it('that failed without a word of the server has words of its own', async () => {
    server.use(http.post(`*${PERFORM}`, () => HttpResponse.error()));
    const { user, confirm } = await open();
    await user.click(confirm);
    expect(await toast()).toHaveTextContent('Drawing FailedFailed to perform drawing');
  });

  it('that may have succeeded asks for the history again', async () => {
    server.use(http.post(`*${PERFORM}`, () => HttpResponse.error()));
    const { user, confirm } = await open();
    await screen.findByText('No drawings performed yet');
    server.use(historyIs([aDrawing()]));
    await user.click(confirm);
    expect(await screen.findByRole('table', { name: /winners/ })).toHaveTextContent('2,313');
  });

  it('forgets a failure with its dialog', async () => {
    server.use(refusing(PERFORM, 409, { error: 'Nobody can be drawn' }));
    const { user, dialog, confirm } = await open();
    await user.click(confirm);
    await within(dialog).findByText('Nobody can be drawn');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await user.click(await drawButton());
    expect(within(await screen.findByRole('alertdialog')).getByRole('alert')).toBeEmptyDOMElement();
  });

  it('ends at the sign-in screen where the session does', async () => {
    server.use(http.post(`*${PERFORM}`, unauthorized));
    const { user, confirm } = await open();
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
    const { dialog, confirm } = await open();
    fireEvent.click(confirm);
    await waitFor(() => expect(dialog).toHaveTextContent('Drawing...'));
    await act(() => vi.advanceTimersByTimeAsync(118_000));
    expect(dialog).toHaveTextContent('Drawing...');
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(await part('Result of the drawing')).toBeInTheDocument();
    vi.useRealTimers();
  });
});

describe('the drum', () => {
  /** An animation that runs until somebody ends it. */
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
    const { user, confirm } = await open();
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

  it('does not mind the key that confirmed and is still held', async () => {
    const finish = animated();
    await turn();
    fireEvent.keyDown(document.body, { key: 'Enter', repeat: true });
    expect(finish).not.toHaveBeenCalled();
  });
});

describe('the history', () => {
  const table = () => screen.findByRole('table', { name: /winners/ });
  const header = async (name: string) =>
    within(await table()).getByRole('columnheader', { name: new RegExp(`^${name}`) });

  it('tells of each drawing, with the last digits of the winner', async () => {
    server.use(historyIs([aDrawing(), aDrawing({ id: 3, landingPage: 'sustainable-living' })]));
    renderAdmin(DRAWING);
    const rows = rowsOf(await table()).map((row) => row.map((cell) => cell?.replace(/\s+/g, ' ')));
    expect(rows[0]).toEqual([
      'Garden Bag Essentials',
      '***-***-4567',
      '2,313',
      '1,204',
      '3,456',
      'Nov 21, 2026, 3:04 PM', // in New York
      'Proof of drawing 7 (opens in a new tab)',
    ]);
    const proof = within(await table()).getByRole('link', { name: /drawing 3/ });
    expect(proof).toHaveAttribute('href', '/drawings/3');
    expect(asked).toEqual(['?sort=createdAt&order=desc&limit=25&offset=0']);
  });

  it('says when there is none', async () => {
    renderAdmin(DRAWING);
    expect(await screen.findByText('No drawings performed yet')).toBeInTheDocument();
  });

  it('waits in its place', async () => {
    server.use(http.get(`*${HISTORY}`, never));
    renderAdmin(DRAWING);
    expect(within(await part('Drawing History')).getByText('Loading...')).toBeInTheDocument();
  });

  it('that did not arrive is asked for again', async () => {
    server.use(refusing(HISTORY, 500, { error: 'Broken' }));
    const { user } = renderAdmin(DRAWING);
    const retry = await within(await part('Drawing History')).findByRole('button', {
      name: 'Try again',
    });
    server.use(historyIs([aDrawing()]));
    await user.click(retry);
    expect(await table()).toBeInTheDocument();
  });

  it('is sorted by its headers, in the address too', async () => {
    server.use(historyIs([aDrawing()], 60));
    const { user } = renderAdmin(`${DRAWING}&offset=25`);
    expect(await header('Date')).toHaveAttribute('aria-sort', 'descending');
    expect(await header('Raffle')).toHaveAttribute('aria-sort', 'none');
    expect(await header('Winner')).not.toHaveAttribute('aria-sort');

    const press = async (name: string) =>
      user.click(within(await header(name)).getByRole('button'));
    await press('Total entries');
    expect(location.search).toBe('?section=drawing&sort=totalEntries'); // at its first page
    await waitFor(async () =>
      expect(await header('Total entries')).toHaveAttribute('aria-sort', 'descending'),
    );
    await press('Total entries');
    expect(location.search).toBe('?section=drawing&sort=totalEntries&order=asc');
    await press('Raffle');
    expect(location.search).toBe('?section=drawing&sort=landingPage&order=asc');
    await waitFor(() => expect(asked.at(-1)).toBe('?sort=landingPage&order=asc&limit=25&offset=0'));
    act(() => history.back());
    await waitFor(async () =>
      expect(await header('Total entries')).toHaveAttribute('aria-sort', 'ascending'),
    );
  });

  it('keeps its rows while others are on their way', async () => {
    server.use(historyIs([aDrawing()], 60));
    const { user } = renderAdmin(DRAWING);
    await table();
    server.use(http.get(`*${HISTORY}`, never));
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(location.search).toBe('?section=drawing&offset=25');
    expect(await table()).toHaveTextContent('2,313');
    expect((await table()).closest('[aria-busy]')).toHaveAttribute('aria-busy', 'true');
  });

  it('is newest first for an order that it does not know', async () => {
    renderAdmin(`${DRAWING}&sort=winnerId&order=up&offset=-3`);
    await screen.findByText('No drawings performed yet');
    expect(asked).toEqual(['?sort=createdAt&order=desc&limit=25&offset=0']);
  });

  it('leads back from a page behind the last', async () => {
    server.use(historyIs(() => (asked.at(-1)?.includes('offset=0') ? [aDrawing()] : []), 1));
    const { user } = renderAdmin(`${DRAWING}&offset=50`);
    await user.click(await screen.findByRole('button', { name: 'Show the first page' }));
    expect(await table()).toBeInTheDocument();
    expect(location.search).toBe(DRAWING);
  });
});

describe('exporting the history', () => {
  const button = () => screen.findByRole('button', { name: /^Export/ });

  it('saves what the server gives, as it is', async () => {
    const saved: { name: string; blob: Blob }[] = [];
    let blob = new Blob();
    URL.createObjectURL = (made) => {
      blob = made as Blob;
      return 'blob:made';
    };
    URL.revokeObjectURL = () => {};
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push({ name: this.download, blob });
    });
    const file = "id,landingPage\r\n7,'=garden-bag\r\n";
    const tokens: (string | null)[] = [];
    server.use(
      http.get(`*${HISTORY}/export`, ({ request }) => {
        tokens.push(request.headers.get('Authorization'));
        return HttpResponse.text(file, { headers: { 'Content-Type': 'text/csv' } });
      }),
    );
    const { user } = renderAdmin(DRAWING);
    await user.click(await button());
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toMatch(/^tombola-drawings-\d{4}-\d\d-\d\d\.csv$/);
    expect(await saved[0]?.blob.text()).toContain(file);
    expect(tokens).toEqual([`Bearer ${TOKEN}`]);
  });

  it('that failed says so', async () => {
    server.use(refusing(`${HISTORY}/export`, 503, '', { 'Retry-After': '5' }));
    const { user } = renderAdmin(DRAWING);
    await user.click(await button());
    expect(await screen.findByText(/^Export failed/)).toHaveTextContent('try again in 5 seconds');
    expect(await button()).toHaveTextContent('Export CSV');
  });
});
