import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { list, logging, proving, section, strangers, vector } from '../../../testing/site/drawings';
import { renderPath } from '../../../testing/site/renderPath';
import { refusing, server } from '../../../testing/server';
import type { CheckRequest } from './check.worker';
import { dueAt } from './verification/chain';
import { checkDrawing, type Report } from './verification/checkDrawing';
import type { DrawnProof, Proof, SealedProof } from './verification/proof';

const { entrants } = vector('drawn');
const drawn = vector('drawn').proof as DrawnProof;
const rows = drawn.totalParticipants;

/** A worker on this thread: jsdom has none. */
class WorkerHere {
  static ended = 0;
  private ended = false;
  onmessage?: (event: { data: Report }) => void;

  postMessage({ proof, list, log }: CheckRequest) {
    const open = async () => {
      const response = await fetch(new URL(list, location.origin));
      if (!response.ok || !response.body) throw new Error('no list');
      return response.body;
    };
    void checkDrawing(proof, open, (data) => this.ended || this.onmessage?.({ data }), log);
  }

  terminate() {
    this.ended = true;
    WorkerHere.ended += 1;
  }
}

describe('check it yourself', () => {
  let idle: (() => void)[];

  beforeEach(() => {
    WorkerHere.ended = 0;
    vi.stubGlobal('Worker', WorkerHere);
    // What the browser kept of the log is looked up when a test says so.
    idle = [];
    vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run));
    vi.stubGlobal('cancelIdleCallback', vi.fn());
    server.use(proving(drawn), strangers, list());
  });
  afterEach(() => {
    cleanup(); // the page takes back what it asked of the browser
    vi.unstubAllGlobals();
    vi.useRealTimers();
    localStorage.clear();
  });

  const startButton = () => screen.findByRole('button', { name: 'Check it yourself' });
  const lines = async () =>
    within(await section('The checks, one by one'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  const verdict = async () =>
    within(await section('Is it in order?')).findByText(/passed|failed|not checked\.|stopped/i, {
      selector: '.verdict > span',
    });

  it('lets every check turn out well', async () => {
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent(
      `All 11 checks passed. The seed, the list and the random value give entry ${drawn.winningEntryNumber}.`,
    );
    expect(await lines()).toEqual(Array(11).fill(expect.stringMatching(/^✓Passed:/)));
    expect(screen.getByText(`${rows} of ${rows} lines read`)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Check again' })).toBeInTheDocument();
  });

  it('checks a short list by itself, with what the browser kept, and folds what it found', async () => {
    await renderPath('/drawings/41');
    await startButton();
    idle.forEach((run) => run());
    expect(await verdict()).toHaveTextContent(/^✓Passed: All 11 checks passed\./);
    const fold = (await section('The checks, one by one')).querySelector('details');
    expect(fold).not.toHaveAttribute('open');
  });

  it.each([
    ['a list of megabytes', { totalParticipants: 60_000 }, {}],
    ['somebody who saves data', {}, { saveData: true }],
  ])('waits to be asked: %s', async (_, changes, connection) => {
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection }));
    server.use(proving({ ...drawn, ...changes }));
    await renderPath('/drawings/41');
    await startButton();
    idle.forEach((run) => run());
    await act(() => new Promise((done) => setTimeout(done, 50)));
    expect(await startButton()).toBeInTheDocument();
    expect(screen.getByText(/^Not checked yet\./)).toBeInTheDocument();
  });

  it.each([
    ['beacon off', 11, /All 11 checks passed\. The seed and the list give .* operator could have/],
    ['another chain', 11, /10 of 11 checks passed, and 1 could not be done\./],
    ['sealed', 7, /All 7 checks passed\. This was before the drawing had a winner\.$/],
  ])('does what can be done: %s', async (name, count, said) => {
    const { proof, entrants } = vector(name);
    server.use(proving(proof), list(entrants));
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent(said);
    expect(await lines()).toHaveLength(count);
  });

  it('says of a void drawing that it is void', async () => {
    const { proof, entrants } = vector('sealed');
    server.use(proving({ ...(proof as SealedProof), status: 'void' }), list(entrants));
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent(/All 7 checks passed\. The drawing is void\.$/);
  });

  it('counts only what was checked if the browser finds its copy of the log meanwhile', async () => {
    const { proof, entrants } = vector('sealed');
    vi.useFakeTimers({ toFake: ['Date'], now: dueAt(proof.beacon.round) - 60_000 });
    let arrive!: () => void;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    server.use(
      proving(proof),
      http.get('*/api/drawings/:id/entrants', async () => {
        await arrived;
        return HttpResponse.text(entrants);
      }),
      logging([]),
    );
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    await waitFor(async () => expect(await lines()).toHaveLength(7));
    idle.forEach((run) => run());
    await screen.findByText(/^Sealed before the beacon/);
    expect(await lines()).toHaveLength(7);
    arrive();
    expect(await verdict()).toHaveTextContent(/All 7 checks passed\./);
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    await waitFor(async () => expect(await lines()).toHaveLength(8));
    expect(await verdict()).toHaveTextContent(/All 8 checks passed\./);
  });

  it('says of which moment it is if the drawing gets its winner meanwhile', async () => {
    const { chainHash, round } = drawn.beacon;
    const { winningEntryNumber, ...before } = drawn;
    const sealed: Proof = { ...before, status: 'sealed', beacon: { chainHash, round } };
    server.use(proving(sealed), list());
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent(/All 7 checks passed\. This was before/);
    server.use(proving(drawn));
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    await screen.findByText(/^Drawn from/);
    expect(await section('Drawn entry')).toHaveTextContent(String(winningEntryNumber));
    expect(await lines()).toHaveLength(7);
    expect(await verdict()).toHaveTextContent(/All 7 checks passed\. This was before/);
  });

  it('says so of a prize that was not promised', async () => {
    server.use(proving({ ...drawn, version: drawn.version!.replace('Waxed', 'Plain') }));
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent('1 check failed.');
    expect(await lines()).toContainEqual(
      expect.stringMatching(/^✗Failed:The prize is what .* promised.*The version's hash is/),
    );
  });

  it('names what is wrong with a seal', async () => {
    const seal = { ...drawn.seal, at: '2023-08-23T15:49:00.000000Z' };
    server.use(proving({ ...drawn, seal }));
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent('1 check failed.');
    expect(await lines()).toContainEqual(
      expect.stringMatching(/^✗Failed:The log's seal .*The hash of the log's entry is/),
    );
  });

  it('says which check failed, and why', async () => {
    server.use(list(entrants.replace(/(\n5,\d+,)(\d+)/, '$1$29')));
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent(
      "1 check failed. This drawing doesn't match its proof.",
    );
    const fold = (await section('The checks, one by one')).querySelector('details');
    expect(fold).toHaveAttribute('open');
    expect(screen.getByRole('link', { name: 'contact page' })).toHaveAttribute('href', '/contact');
    const failed = (await lines()).filter((line) => line?.startsWith('✗Failed:'));
    expect(failed).toEqual([
      expect.stringMatching(/The list has all .*Line 7 begins at entry \d+, not \d+\.$/),
    ]);
  });

  it('says so of a proof that was changed', async () => {
    server.use(proving({ ...drawn, winningEntryNumber: drawn.winningEntryNumber + 1 }));
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent('1 check failed.');
    expect(await lines()).toContainEqual(
      expect.stringContaining('The winner is not the first who was drawn.'),
    );
  });

  it('calls nothing false that did not arrive, and tries again', async () => {
    server.use(refusing('/api/drawings/:id/entrants', 503, { error: 'Away' }));
    const { user } = await renderPath('/drawings/41');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent('The list did not arrive in full');
    const states = (await lines()).map((line) => line?.split(':')[0]);
    expect(states).toEqual([...Array<string>(10).fill('✓Passed'), '?Not checked']);
    server.use(list());
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText(/All 11 checks passed/)).toBeInTheDocument();
  });

  it('starts once for a double click, and stops when asked', async () => {
    let asked = 0;
    server.use(
      http.get('*/api/drawings/:id/entrants', () => {
        asked += 1;
        return delay('infinite');
      }),
    );
    const { user } = await renderPath('/drawings/41');
    await user.dblClick(await startButton());
    const stop = await screen.findByRole('button', { name: 'Stop' });
    await waitFor(async () => expect((await lines())[0]).toMatch(/^✓Passed/));
    expect((await lines()).at(-1)).toMatch(/^·Not checked yet/);
    expect(asked).toBe(1);
    await user.click(stop);
    expect(WorkerHere.ended).toBe(1);
    expect(await verdict()).toHaveTextContent('You stopped the check, so the list is not checked.');
    expect(screen.getByRole('button', { name: 'Check again' })).toHaveFocus();
  });

  it('ends with the page', async () => {
    server.use(http.get('*/api/drawings/:id/entrants', () => delay('infinite')));
    const { user, unmount } = await renderPath('/drawings/41');
    await user.click(await startButton());
    await screen.findByRole('button', { name: 'Stop' });
    unmount();
    expect(WorkerHere.ended).toBe(1);
  });
});
