import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPath } from '../../../testing/site/renderPath';
import { refusing, server } from '../../../testing/server';
import type { Drawing, Proof } from './api';
import type { CheckRequest } from './check.worker';
import { checkDrawing, type Report } from './verification/checkDrawing';
import type { Leaf } from './verification/proof';

interface Vectors {
  proofs: { proof: Proof; entrants: string }[];
  drawings: {
    entrants: { id: number; weight: number }[];
    leaves: Omit<Leaf, 'weight'>[] & { salt: string }[];
    paths: string[][];
    root: string;
    totalParticipants: number;
  }[];
}

const vectors = JSON.parse(
  readFileSync(join(process.cwd(), '../docs/drawing-vectors.json'), 'utf8'),
) as Vectors;
const { proof, entrants } = vectors.proofs.find(({ proof }) => proof.totalParticipants === 33)!;
const rows = entrants.trimEnd().split('\n').length - 1;

const aDrawing = (changes: Partial<Drawing> = {}): Drawing => ({
  id: 7,
  landingPage: 'garden-bag',
  createdAt: '2026-12-01T05:00:00.000000Z',
  totalParticipants: 3,
  totalEntries: 9_999_999,
  winningEntryNumber: 1_234_567,
  winnerLast4: '4567',
  ...changes,
});

const listing = (drawings: Drawing[], total = drawings.length, asked: string[] = []) =>
  http.get('*/api/drawings', ({ request }) => {
    asked.push(new URL(request.url).search);
    return HttpResponse.json(drawings, { headers: { 'X-Total-Count': String(total) } });
  });

const committed = http.get('*/api/raffles/:landingPage/commitment', ({ params }) =>
  HttpResponse.json({
    landingPage: params.landingPage,
    commitment: 'ab'.repeat(32),
    seedSource: 'os',
    committedAt: '2026-11-01T04:00:00.000000Z',
  }),
);

const proving = (changes: Partial<Proof> = {}) =>
  http.get('*/api/drawings/:id/proof', () => HttpResponse.json({ ...proof, ...changes }));
const list = (text = entrants) =>
  http.get('*/api/drawings/:id/entrants', () => HttpResponse.text(text));
const strangers = refusing('/api/drawings/:id/own-leaf', 404, { error: 'No', code: 'not_found' });

const section = (name: string) => screen.findByRole('region', { name });

describe('the page of all drawings', () => {
  beforeEach(() => server.use(committed, listing([aDrawing()])));

  it('shows each raffle’s open commitment, and since when', async () => {
    await renderPath('/drawings');
    const before = await section('Before the next drawing');
    expect(
      within(before)
        .getAllByRole('heading', { level: 3 })
        .map((h) => h.textContent),
    ).toEqual([
      'Garden Bag Essentials',
      'Fresh Sips Mixology Kit',
      'Kitchen Garden Essentials',
      'Sustainable Living Starter Kit',
    ]);
    await waitFor(() =>
      expect(within(before).getAllByText('Since November 1, 2026 at 12:00 AM EDT')).toHaveLength(4),
    );
    const codes = [...before.querySelectorAll('code')].map((code) => code.textContent);
    expect(codes).toEqual(Array(4).fill('ab'.repeat(32)));
  });

  it('copies a commitment as one word, and says so', async () => {
    const { user } = await renderPath('/drawings');
    const copied = vi.spyOn(navigator.clipboard, 'writeText');
    await screen.findAllByText(/^Since/);
    await user.click(screen.getByRole('button', { name: /the commitment of Garden Bag/ }));
    expect(copied).toHaveBeenCalledExactlyOnceWith('ab'.repeat(32));
    expect(
      await screen.findByRole('button', { name: /^Copied the commitment of Garden Bag/ }),
    ).toBeInTheDocument();
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain('Copied');
  });

  it('selects a commitment where the browser does not let it copy', async () => {
    const { user } = await renderPath('/drawings');
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await screen.findAllByText(/^Since/);
    await user.click(screen.getByRole('button', { name: /the commitment of Fresh Sips/ }));
    expect(await screen.findByRole('button', { name: /^Select it to copy/ })).toBeInTheDocument();
    expect(getSelection()?.toString()).toBe('ab'.repeat(32));
  });

  it('shows each drawing with what it was drawn from, and links to it', async () => {
    await renderPath('/drawings');
    const link = await screen.findByRole('link', {
      name: 'Garden Bag Essentials, December 1, 2026',
    });
    expect(link).toHaveAttribute('href', '/drawings/7');
    const row = within(await section('Past drawings')).getByRole('listitem');
    expect(row).toHaveTextContent('Entry1,234,567');
    expect(row).toHaveTextContent('Drawn from 9,999,999 entries of 3 participants');
    expect(row).toHaveTextContent('Winner’s phone number ends in 4567');
  });

  it('says what will stand here before anything is drawn', async () => {
    server.use(listing([]));
    await renderPath('/drawings');
    expect(await screen.findByText(/^Nothing has been drawn yet/)).toBeInTheDocument();
    expect(screen.queryByRole('navigation', { name: /Pages/ })).not.toBeInTheDocument();
  });

  it.each([
    ['/drawings', '?limit=20&offset=0', undefined, '/drawings?page=2#past'],
    ['/drawings?page=2', '?limit=20&offset=20', '/drawings#past', '/drawings?page=3#past'],
    ['/drawings?page=3', '?limit=20&offset=40', '/drawings?page=2#past', undefined],
    ['/drawings?page=nine', '?limit=20&offset=0', undefined, '/drawings?page=2#past'],
  ])('%s asks for %s and leads on', async (path, search, later, earlier) => {
    const asked: string[] = [];
    server.use(listing([aDrawing()], 41, asked));
    await renderPath(path);
    const pages = await screen.findByRole('navigation', { name: 'Pages of past drawings' });
    expect(asked).toEqual([search]);
    const href = (name: string) =>
      within(pages).queryByRole('link', { name })?.getAttribute('href') ?? undefined;
    expect(href('Show later drawings')).toBe(later);
    expect(href('Show earlier drawings')).toBe(earlier);
  });

  it('leads back from a page that there is not', async () => {
    server.use(listing([], 21));
    await renderPath('/drawings?page=9');
    expect(await screen.findByText('There are no drawings on page 9.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Show later drawings' })).toHaveAttribute(
      'href',
      '/drawings?page=2#past',
    );
  });

  it('says that it is loading', async () => {
    server.use(http.get('*/api/*', () => delay('infinite')));
    await renderPath('/drawings');
    expect(within(await section('Past drawings')).getByRole('status')).toHaveTextContent('Loading');
    expect(screen.getByRole('button', { name: /commitment of Garden/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });

  it('says what failed, each for itself, and tries again when asked', async () => {
    server.use(
      refusing('/api/drawings', 503, { error: 'Away' }),
      refusing('/api/raffles/fresh-sips/commitment', 500, 'broken'),
    );
    await renderPath('/drawings');
    const past = await section('Past drawings');
    expect(await within(past).findByRole('alert')).toHaveTextContent('We are busy right now.');
    expect(await screen.findAllByText(/^Since/)).toHaveLength(3);
    server.use(committed, listing([aDrawing()]));
    for (const button of screen.getAllByRole('button', { name: 'Try again' })) {
      await userEvent.click(button);
    }
    expect(await within(past).findByRole('listitem')).toBeInTheDocument();
    await waitFor(() => expect(screen.getAllByText(/^Since/)).toHaveLength(4));
  });
});

describe('the page of one drawing', () => {
  beforeEach(() => server.use(proving(), strangers, list()));

  it('prints the winning ticket', async () => {
    await renderPath('/drawings/4');
    const title = 'Drawing of December 1, 2026';
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
    expect(document.title).toBe(`${title} | Tombola`);
    const ticket = await section('Winning entry');
    expect(ticket).toHaveTextContent(String(proof.winningEntryNumber));
    expect(ticket).toHaveTextContent(
      `Drawn from ${proof.totalEntries} entries of ${proof.totalParticipants} participants.`,
    );
    expect(ticket).toHaveTextContent('phone number ends in 0000.');
  });

  it('shows all that was published, and where it is for other ways to check', async () => {
    await renderPath('/drawings/4');
    const published = await section('What was published');
    const shown = [...published.querySelectorAll('dd code')].map((code) => code.textContent);
    const { commitment, seed, root, verificationHash, auditLogHash } = proof;
    expect(shown).toEqual([commitment, seed, root, verificationHash, auditLogHash]);
    expect(published).toHaveTextContent('random number generator of our server’s operating system');
    for (const [name, href, file] of [
      ['The proof (JSON)', `/api/drawings/${proof.drawing}/proof`, 'proof.json'],
      ['The list of entrants (CSV)', `/api/drawings/${proof.drawing}/entrants`, 'entrants.csv'],
    ] as const) {
      const link = within(published).getByRole('link', { name });
      expect(link).toHaveAttribute('href', href);
      expect(link).toHaveAttribute('download', `drawing-${proof.drawing}-${file}`);
    }
    const files = `drawing-${proof.drawing}-proof.json --entrants drawing-${proof.drawing}-entrants.csv`;
    expect(published).toHaveTextContent(`tombola drawing verify ${files}`);
    expect(published).toHaveTextContent(`python3 scripts/verify_drawing.py ${files}`);
  });

  it('says what the proof cannot show', async () => {
    await renderPath('/drawings/4');
    const shows = await section('What the proof shows, and what it cannot');
    expect(shows).toHaveTextContent('could invent entrants before the list is frozen');
    expect(shows).toHaveTextContent('who runs the site did not know the seed');
    expect(shows).toHaveTextContent('For them you have only our word');
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
    await renderPath('/drawings/4');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^Drawing$/);
    expect(within(await section('Winning entry')).getByRole('status')).toHaveTextContent('Loading');
  });

  it('says what failed, and tries again when asked', async () => {
    server.use(refusing('/api/drawings/:id/proof', 500, 'broken'));
    await renderPath('/drawings/4');
    expect(await screen.findByRole('alert')).toHaveTextContent('on our side');
    server.use(proving());
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await section('Check it yourself')).toBeInTheDocument();
  });
});

describe('were you in?', () => {
  const drawing = vectors.drawings.find(({ totalParticipants }) => totalParticipants === 7)!;
  const own = {
    entrantId: drawing.entrants[4]!.id,
    salt: drawing.leaves[4]!.salt,
    leaf: { ...drawing.leaves[4]!, weight: drawing.entrants[4]!.weight },
    path: drawing.paths[4]!,
  };
  const { root, totalParticipants } = drawing;
  const answering = (changes: Partial<typeof own> = {}) =>
    http.get('*/api/drawings/:id/own-leaf', () => HttpResponse.json({ ...own, ...changes }));

  beforeEach(() => server.use(proving({ root, totalParticipants, winningEntryNumber: 1 })));

  it('shows your ticket, checked', async () => {
    server.use(answering());
    await renderPath('/drawings/4');
    const ticket = await section('Were you in?');
    expect(await within(ticket).findByText(/^Checked in your browser/)).toHaveTextContent(
      'line 5 of the list is made of your id and your salt, and it is under the root',
    );
    const { firstEntry, weight } = own.leaf;
    const range = weight === 1 ? `${firstEntry}` : `${firstEntry} to ${firstEntry + weight - 1}`;
    expect(ticket).toHaveTextContent(range);
    expect(ticket).toHaveTextContent(own.salt);
    expect(ticket).not.toHaveTextContent('won');
  });

  it('says when it is the one that won', async () => {
    const winningEntryNumber = own.leaf.firstEntry;
    server.use(answering(), proving({ root, totalParticipants, winningEntryNumber }));
    await renderPath('/drawings/4');
    expect(await screen.findByText(/one of them won/)).toBeInTheDocument();
  });

  it.each([
    ['made of another id', { entrantId: own.entrantId + 1 }, /not made of your id and your salt/],
    ['not under the root', { path: drawing.paths[3]! }, /do not lead to the root/],
  ])('says when it is %s', async (_, changes, problem) => {
    server.use(answering(changes));
    await renderPath('/drawings/4');
    expect(await screen.findByRole('alert')).toHaveTextContent(problem);
    expect(screen.queryByText(/^Checked in your browser/)).not.toBeInTheDocument();
  });

  it('says to others how it is known who they are', async () => {
    server.use(strangers);
    await renderPath('/drawings/4');
    expect(await screen.findByText(/^This browser has no entry in this drawing/)).toHaveTextContent(
      'in the browser that you entered with',
    );
  });

  it('says what failed, and tries again when asked', async () => {
    server.use(refusing('/api/drawings/:id/own-leaf', 500, 'broken'));
    await renderPath('/drawings/4');
    const ticket = await section('Were you in?');
    expect(await within(ticket).findByRole('alert')).toHaveTextContent('on our side');
    server.use(answering());
    await userEvent.click(within(ticket).getByRole('button', { name: 'Try again' }));
    expect(await within(ticket).findByText(/^Checked in your browser/)).toBeInTheDocument();
  });
});

/** A worker on this thread: jsdom has none. */
class WorkerHere {
  static ended = 0;
  private ended = false;
  onmessage?: (event: { data: Report }) => void;

  postMessage({ proof, list }: CheckRequest) {
    const open = async () => {
      const response = await fetch(new URL(list, location.origin));
      if (!response.ok || !response.body) throw new Error('no list');
      return response.body;
    };
    void checkDrawing(proof, open, (data) => this.ended || this.onmessage?.({ data }));
  }

  terminate() {
    this.ended = true;
    WorkerHere.ended += 1;
  }
}

describe('check it yourself', () => {
  beforeEach(() => {
    WorkerHere.ended = 0;
    vi.stubGlobal('Worker', WorkerHere);
    server.use(proving(), strangers, list());
  });
  afterEach(() => vi.unstubAllGlobals());

  const startButton = () => screen.findByRole('button', { name: 'Check it yourself' });
  const lines = async () =>
    within(await section('Check it yourself'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  const verdict = async () =>
    within(await section('Check it yourself')).findByText(/hold|failed|not checked\.|stopped/i, {
      selector: '.verdict',
    });

  it('lets every check turn out well', async () => {
    const { user } = await renderPath('/drawings/4');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent(
      `All 11 checks hold. Seed and list draw entry ${proof.winningEntryNumber}.`,
    );
    expect(await lines()).toEqual(Array(11).fill(expect.stringMatching(/^✓Holds:/)));
    expect(screen.getByText(`${rows} of ${rows} lines read`)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Check again' })).toBeInTheDocument();
  });

  it('says which check failed, and why', async () => {
    server.use(list(entrants.replace(/(\n5,\d+,)(\d+)/, '$1$29')));
    const { user } = await renderPath('/drawings/4');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent('3 checks failed. This drawing is not what it says');
    const failed = (await lines()).filter((line) => line?.startsWith('✗Failed:'));
    expect(failed).toEqual([
      expect.stringMatching(/without a gap\.Line 7 begins at entry \d+, not \d+\.$/),
      expect.stringMatching(/There are \d+ entries, not \d+\.$/),
      expect.stringMatching(/give the root\.The list’s root is [0-9a-f]{64}\.$/),
    ]);
  });

  it('says so of a proof that was changed', async () => {
    server.use(proving({ winningEntryNumber: proof.winningEntryNumber + 1 }));
    const { user } = await renderPath('/drawings/4');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent('checks failed');
    expect(await lines()).toContainEqual(
      expect.stringContaining(
        `draw entry ${proof.winningEntryNumber}, not ${proof.winningEntryNumber + 1}.`,
      ),
    );
  });

  it('calls nothing false that did not arrive, and tries again', async () => {
    server.use(refusing('/api/drawings/:id/entrants', 503, { error: 'Away' }));
    const { user } = await renderPath('/drawings/4');
    await user.click(await startButton());
    expect(await verdict()).toHaveTextContent('The list did not arrive in full');
    const states = (await lines()).map((line) => line?.split(':')[0]);
    expect(states).toEqual([
      ...Array<string>(7).fill('✓Holds'),
      ...Array<string>(4).fill('?Not checked'),
    ]);
    server.use(list());
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText(/^All 11 checks hold/)).toBeInTheDocument();
  });

  it('starts once for a double click, and stops when asked', async () => {
    let asked = 0;
    server.use(
      http.get('*/api/drawings/:id/entrants', () => {
        asked += 1;
        return delay('infinite');
      }),
    );
    const { user } = await renderPath('/drawings/4');
    await user.dblClick(await startButton());
    const stop = await screen.findByRole('button', { name: 'Stop' });
    await waitFor(async () => expect((await lines())[0]).toMatch(/^✓Holds/));
    expect((await lines()).at(-1)).toMatch(/^·Not checked yet/);
    expect(asked).toBe(1);
    await user.click(stop);
    expect(WorkerHere.ended).toBe(1);
    expect(await verdict()).toHaveTextContent('You stopped it: the list is not checked.');
    expect(screen.getByRole('button', { name: 'Check again' })).toHaveFocus();
  });

  it('ends with the page', async () => {
    server.use(http.get('*/api/drawings/:id/entrants', () => delay('infinite')));
    const { user, unmount } = await renderPath('/drawings/4');
    await user.click(await startButton());
    await screen.findByRole('button', { name: 'Stop' });
    unmount();
    expect(WorkerHere.ended).toBe(1);
  });
});
