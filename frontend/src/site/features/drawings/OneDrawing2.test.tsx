import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { list, proving2, section, strangers, version2 } from '../../../testing/site/drawings';
import { renderPath } from '../../../testing/site/renderPath';
import { server } from '../../../testing/server';
import { dueAt } from './verification/chain';
import type { DrawnProof, SealedProof } from './verification/proof';

const drawn = version2('drawn').proof as DrawnProof;
const sealed = version2('sealed').proof as SealedProof;

describe('the page of a drawing of version 2', () => {
  beforeEach(() => server.use(proving2(drawn), strangers, list()));
  afterEach(() => {
    vi.useRealTimers();
    localStorage.clear();
  });

  it('prints the winning ticket, and what was fixed when', async () => {
    await renderPath('/drawings/41');
    const title = 'Drawing of August 23, 2023';
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    await screen.findByText(String(drawn.winningEntryNumber));
    const steps = await section('What was fixed when');
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
    expect(steps).toHaveTextContent('Time of seal not witnessed');
    expect(steps).not.toHaveTextContent('operator could have known');
  });

  it('shows all that was published, and names no alternate', async () => {
    await renderPath('/drawings/41');
    const published = await section('What was published');
    const shown = [...published.querySelectorAll('dd code')].map((code) => code.textContent);
    const { announcement, commitment, seal, seed, root, beacon, verificationHash } = drawn;
    const hashes = [commitment, seal.hash, seed, root, beacon.randomness, verificationHash];
    expect(shown).toEqual([announcement.hash, ...hashes]);
    for (const { leaf } of drawn.ranks.slice(1)) {
      expect(document.body).not.toHaveTextContent(leaf.blindedId);
    }
  });

  it.each(['beacon off', 'another chain'])('says who could have known: %s', async (name) => {
    server.use(proving2(version2(name).proof));
    await renderPath('/drawings/45');
    expect(await section('What was fixed when')).toHaveTextContent(
      'The operator could have known the winner of this drawing.',
    );
  });

  it('gives the reason and the prize of an additional drawing', async () => {
    server.use(proving2(version2('additional').proof));
    await renderPath('/drawings/42');
    expect(await section('What was fixed when')).toHaveTextContent(
      'additional drawing for September 2023. Its reason: A “second” kit, for the café’s readers. Its prize: Ünïque \\ kit.',
    );
  });

  it('counts down while it is sealed', async () => {
    setClock(90_061_000);
    server.use(proving2(sealed));
    await renderPath('/drawings/46');
    const ticket = await section('Drawn entry');
    expect(await within(ticket).findByRole('timer')).toHaveTextContent(/^1 day 01:0\d:\d\d$/);
    expect(ticket).toHaveTextContent('One is drawn December 1, 2026 at 12:00 PM EST');
    expect(await section('What was fixed when')).toHaveTextContent('Not drawn yet');
  });

  it('waits for the beacon when the countdown ends, and shows the result', async () => {
    setClock(2_000);
    server.use(proving2(sealed));
    await renderPath('/drawings/46');
    const waiting = /^Waiting for the beacon since December 1, 2026 at 12:00 PM EST/;
    await advanceUntilShown(waiting);

    server.use(proving2(drawn));
    await advanceUntilShown(String(drawn.winningEntryNumber));
    expect(screen.queryByText(waiting)).not.toBeInTheDocument();
  });

  it('says since when the server waits', async () => {
    const beacon = { ...sealed.beacon, chainHash: 'ab'.repeat(32) };
    const waitingSince = '2026-12-01T18:00:00.000000Z';
    server.use(proving2({ ...sealed, beacon: { ...beacon, waitingSince } }));
    await renderPath('/drawings/46');
    expect(
      await screen.findByText('Waiting for the beacon since December 1, 2026 at 1:00 PM EST.'),
    ).toBeInTheDocument();
  });

  it('says of a void drawing that nobody won', async () => {
    server.use(proving2({ ...sealed, status: 'void' }));
    await renderPath('/drawings/46');
    expect(await screen.findByText(/^This drawing is void\./)).toBeInTheDocument();
    expect(screen.queryByRole('timer')).not.toBeInTheDocument();
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
