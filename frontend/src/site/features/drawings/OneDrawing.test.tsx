import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aClaimRecord } from '../../../testing/site/builders';
import {
  aDrawing,
  folded,
  list,
  proving,
  section,
  strangers,
  vector,
} from '../../../testing/site/drawings';
import { renderPath } from '../../../testing/site/renderPath';
import { refusing, server } from '../../../testing/server';
import { dueAt } from './verification/chain';
import { rulesOf, versionOf } from './verification/details';
import type { DrawnProof, SealedProof } from './verification/proof';

const drawn = vector('drawn').proof as DrawnProof;
const sealed = vector('sealed').proof as SealedProof;

describe('the page of one drawing', () => {
  beforeEach(() => server.use(proving(drawn), strangers, list()));
  afterEach(() => {
    vi.useRealTimers();
    localStorage.clear();
  });

  it('prints the winning ticket, and what was fixed when', async () => {
    await renderPath('/drawings/41');
    const title = 'Drawing of August 23, 2023';
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    expect(document.title).toBe(`${title} | Tombola`);
    await screen.findByText(String(drawn.winningEntryNumber));
    const ticket = await section('Drawn entry');
    expect(ticket).toHaveTextContent(
      `Drawn from ${drawn.totalEntries} entries of ${drawn.totalParticipants} participants.`,
    );
    expect(ticket).toHaveTextContent(`phone number ends in ${drawn.winnerLast4}.`);
    const steps = await folded('Timeline');
    const headings = within(steps).getAllByRole('heading', { level: 3 });
    expect(headings.map(({ textContent }) => textContent)).toEqual([
      'Announced August 23, 2023 at 8:00 AM EDT',
      'Sealed August 23, 2023 at 11:50 AM EDT',
      'Drawn August 23, 2023 at 11:59 AM EDT',
    ]);
    expect(steps).toHaveTextContent('round 1,000 of a public beacon');
    expect(steps).toHaveTextContent('12 participants, for Garden Bag Essentials');
    expect(steps).toHaveTextContent('Left out: 2 flagged, 1 a duplicate.');
    expect(steps).toHaveTextContent('They also gave 9 alternates');
    expect(steps).toHaveTextContent("This browser didn't see the list before the draw.");
    expect(steps).not.toHaveTextContent('operator could have known');
  });

  it('shows all that was published, and names no alternate', async () => {
    await renderPath('/drawings/41');
    const published = await folded('Hashes, files and other ways to check');
    const shown = [...published.querySelectorAll('dd code')].map((code) => code.textContent);
    const { announcement, commitment, seal, seed, root, beacon, verificationHash } = drawn;
    const hashes = [commitment, seal.hash, seed, root, beacon.randomness, verificationHash];
    const [promise, rules] = [versionOf(announcement)!, rulesOf(announcement)!];
    expect(shown).toEqual([announcement.hash, promise.hash, rules.hash, ...hashes]);
    const said = within(published).getByRole('link', {
      name: /^version 1 of what the raffle says$/,
    });
    expect(said).toHaveAttribute('href', '/api/raffles/garden-bag/versions/1');
    const version = within(published).getByRole('link', { name: `version ${rules.version}` });
    expect(version).toHaveAttribute('href', `/rules/${rules.version}`);
    expect(published).toHaveTextContent("random number generator of our server's operating system");
    for (const { leaf } of drawn.ranks.slice(1)) {
      expect(document.body).not.toHaveTextContent(leaf.blindedId);
    }
  });

  it('says where all of it is for other ways to check', async () => {
    await renderPath('/drawings/41');
    const published = await folded('Hashes, files and other ways to check');
    for (const [name, href, file] of [
      ['The proof (JSON)', `/api/drawings/${drawn.drawing}/proof`, 'proof.json'],
      ['The list of entrants (CSV)', `/api/drawings/${drawn.drawing}/entrants`, 'entrants.csv'],
    ] as const) {
      const link = within(published).getByRole('link', { name });
      expect(link).toHaveAttribute('href', href);
      expect(link).toHaveAttribute('download', `drawing-${drawn.drawing}-${file}`);
    }
    const files = `drawing-${drawn.drawing}-proof.json --entrants drawing-${drawn.drawing}-entrants.csv`;
    expect(published).toHaveTextContent(`tombola drawing verify ${files}`);
    expect(published).toHaveTextContent(`python3 scripts/drawing/verify_drawing.py ${files}`);
  });

  it('copies a hash as one word, and says so', async () => {
    const { user } = await renderPath('/drawings/41');
    const copied = vi.spyOn(navigator.clipboard, 'writeText');
    await folded('Hashes, files and other ways to check');
    await user.click(screen.getByRole('button', { name: /the commitment$/ }));
    expect(copied).toHaveBeenCalledExactlyOnceWith(drawn.commitment);
    expect(
      await screen.findByRole('button', { name: 'Copied the commitment' }),
    ).toBeInTheDocument();
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Copied');
  });

  it('selects a hash where the browser does not let it copy', async () => {
    const { user } = await renderPath('/drawings/41');
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await folded('Hashes, files and other ways to check');
    await user.click(screen.getByRole('button', { name: /the commitment$/ }));
    expect(await screen.findByRole('button', { name: /^Select it to copy/ })).toBeInTheDocument();
    expect(getSelection()?.toString()).toBe(drawn.commitment);
  });

  it('says what the proof cannot show', async () => {
    await renderPath('/drawings/41');
    const shows = await folded('What the proof shows, and what it cannot');
    expect(shows).toHaveTextContent('cannot show when the seal was published');
    expect(shows).toHaveTextContent('everyone on the list is a different person');
    expect(shows).toHaveTextContent('Here you have to trust us');
  });

  it('says of a drawing without a beacon that it cannot show who chose', async () => {
    server.use(proving(vector('beacon off').proof));
    await renderPath('/drawings/45');
    expect(await folded('What the proof shows, and what it cannot')).toHaveTextContent(
      'It cannot show that we did not choose the winner',
    );
  });

  it.each(['beacon off', 'another chain'])('says who could have known: %s', async (name) => {
    server.use(proving(vector(name).proof));
    await renderPath('/drawings/45');
    expect(await folded('Timeline')).toHaveTextContent(
      'The operator could have known the winner of this drawing.',
    );
  });

  it('gives the reason and the prize of an additional drawing', async () => {
    server.use(proving(vector('additional').proof));
    await renderPath('/drawings/42');
    expect(await folded('Timeline')).toHaveTextContent(
      'extra drawing for September 2023. Its reason: A “second” kit, for the café’s readers. Its prize: Ünïque \\ kit.',
    );
  });

  it('says first who won, whether you were in and whether it is in order, and folds the rest', async () => {
    const claims = [aClaimRecord({ status: 'claimed' })];
    server.use(http.get('*/api/drawings/:id', () => HttpResponse.json(aDrawing({ claims }))));
    await renderPath('/drawings/41');
    await section('Is it in order?');
    const titles = screen.getAllByRole('heading', { level: 2 });
    expect(titles.map(({ textContent }) => textContent)).toEqual([
      'Drawn entry',
      'The prize',
      'Were you in?',
      'Is it in order?',
      'The checks, one by one',
      'Timeline',
      'Hashes, files and other ways to check',
      'What the proof shows, and what it cannot',
    ]);
    await folded('Timeline');
    const folds = screen.getAllByRole('group').filter((each) => each.tagName === 'DETAILS');
    expect(folds).toHaveLength(4);
    for (const fold of folds) expect(fold).not.toHaveAttribute('open');
    // Every hash is in one of them.
    for (const code of document.querySelectorAll('code'))
      expect(code.closest('details')).not.toBeNull();
  });

  it('says of one that is only announced when it is due', async () => {
    const expectedAt = '2026-12-01T17:00:00Z';
    const beacon = { chainHash: 'ef'.repeat(32), round: 7, expectedAt };
    server.use(
      refusing('/api/drawings/:id/proof', 404, { error: 'No', code: 'not_found' }),
      http.get('*/api/drawings/:id', () =>
        HttpResponse.json(aDrawing({ status: 'announced', beacon })),
      ),
    );
    await renderPath('/drawings/7');
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Announced, and not drawn yet' }),
    ).toBeInTheDocument();
    expect(screen.getByText(/planned for December 1, 2026 at 12:00 PM EST/)).toBeInTheDocument();
  });

  it('counts down while it is sealed', async () => {
    setClock(90_061_000);
    server.use(proving(sealed));
    await renderPath('/drawings/46');
    const ticket = await section('Drawn entry');
    expect(await within(ticket).findByRole('timer')).toHaveTextContent(/^1 day 01:0\d:\d\d$/);
    expect(ticket).toHaveTextContent('One is drawn December 1, 2026 at 12:00 PM EST');
    expect(await folded('Timeline')).toHaveTextContent('Not drawn yet');
  });

  it('waits for the beacon when the countdown ends, and shows the result', async () => {
    setClock(2_000);
    server.use(proving(sealed));
    await renderPath('/drawings/46');
    const waiting = /^Waiting for the beacon since December 1, 2026 at 12:00 PM EST/;
    await advanceUntilShown(waiting);

    server.use(proving(drawn));
    await advanceUntilShown(String(drawn.winningEntryNumber));
    expect(screen.queryByText(waiting)).not.toBeInTheDocument();
  });

  it('says since when the server waits', async () => {
    const beacon = { ...sealed.beacon, chainHash: 'ab'.repeat(32) };
    const waitingSince = '2026-12-01T18:00:00.000000Z';
    server.use(proving({ ...sealed, beacon: { ...beacon, waitingSince } }));
    await renderPath('/drawings/46');
    expect(
      await screen.findByText('Waiting for the beacon since December 1, 2026 at 1:00 PM EST.'),
    ).toBeInTheDocument();
  });

  it('says of a void drawing that nobody won', async () => {
    server.use(proving({ ...sealed, status: 'void' }));
    await renderPath('/drawings/46');
    expect(await screen.findByText(/^This drawing is void\./)).toBeInTheDocument();
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
  });

  it.each(['/drawings/999', '/drawings/seven', '/drawings/0', '/drawings/1e1'])(
    '%s, which there is not, leads to the list',
    async (path) => {
      server.use(refusing('/api/drawings/:id/proof', 404, { error: 'No', code: 'not_found' }));
      await renderPath(path);
      expect(
        await screen.findByRole('heading', { level: 1, name: 'We cannot find this drawing' }),
      ).toBeInTheDocument();
      expect(screen.getByRole('link', { name: 'See all drawings' })).toHaveAttribute(
        'href',
        '/drawings',
      );
    },
  );

  it('says that it is loading on a blank ticket', async () => {
    server.use(http.get('*/api/*', () => delay('infinite')));
    await renderPath('/drawings/41');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^Drawing$/);
    expect(within(await section('Drawn entry')).getByRole('status')).toHaveTextContent('Loading');
  });

  it('says what failed, and tries again when asked', async () => {
    server.use(refusing('/api/drawings/:id/proof', 500, 'broken'));
    await renderPath('/drawings/41');
    expect(await screen.findByRole('alert')).toHaveTextContent('on our side');
    server.use(proving(drawn));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await section('Is it in order?')).toBeInTheDocument();
  });
});

/** Sets a clock that this test moves, so long before the random value is due. */
function setClock(beforeDueMs: number) {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    shouldAdvanceTime: true,
    now: dueAt(sealed.beacon.round) - beforeDueMs,
  });
}

/** Moves the clock second by second, because each step of the page sets the next timer. */
async function advanceUntilShown(text: string | RegExp) {
  for (let second = 0; second < 10 && !screen.queryByText(text); second++) {
    await act(() => vi.advanceTimersByTimeAsync(1_000));
  }
  expect(await screen.findByText(text)).toBeInTheDocument();
}
