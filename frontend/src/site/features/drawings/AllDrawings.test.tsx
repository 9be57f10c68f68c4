import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aDrawing, listing, section } from '../../../testing/site/drawings';
import { raffles } from '../../../testing/site/raffles';
import { renderPath } from '../../../testing/site/renderPath';
import { refusing, server } from '../../../testing/server';

describe('the page of all drawings', () => {
  beforeEach(() => server.use(listing([aDrawing()])));

  it('shows each drawing with what it was drawn from, and links to it', async () => {
    await renderPath('/drawings');
    const link = await screen.findByRole('link', {
      name: 'Garden Bag Essentials, December 1, 2026',
    });
    expect(link).toHaveAttribute('href', '/drawings/7');
    const row = within(await section('Past drawings')).getByRole('listitem');
    expect(row).toHaveTextContent('Entry1,234,567');
    expect(row).toHaveTextContent('Drawn from 9,999,999 entries of 3 participants');
    expect(row).toHaveTextContent("The entry's phone number ends in 4567");
  });

  it('shows the results first, also why there was none', async () => {
    const open = { winningEntryNumber: null, winnerLast4: null };
    const at = '2026-11-20T09:00:00Z';
    const given = { reason: 'No beacon came.', at, hosts: [], wouldHaveWon: null };
    server.use(
      listing([
        aDrawing({ ...open, id: 8, status: 'void', void: given }),
        aDrawing({
          id: 7,
          drawnAt: '2026-12-02T05:00:00Z',
          reason: 'A second kit',
          prize: { name: 'Citrus press', value: '$24' },
        }),
        aDrawing({ id: 6, reason: 'not stated' }),
      ]),
    );
    await renderPath('/drawings');
    const rows = await within(await section('Past drawings')).findAllByRole('listitem');
    expect(rows[0]).toHaveTextContent(/^Void.*No beacon came\./);
    expect(rows[1]).toHaveTextContent(
      /^Entry1,234,567.*December 2.*Extra drawing: A second kitPrize: Citrus press \(\$24\)/,
    );
    expect(rows[2]).toHaveTextContent(/Extra drawingPrize: Garden Bag Essentials \(\$150\+\)Drawn/);
    const titles = screen.getAllByRole('heading', { level: 2 });
    expect(titles.map(({ textContent }) => textContent)).toEqual([
      'Past drawings',
      'Next drawings',
      'How a drawing works',
    ]);
  });

  describe('what is next', () => {
    const lines = async () =>
      within(await section('Next drawings'))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    const ahead = (changes: Parameters<typeof aDrawing>[0] = {}) =>
      aDrawing({
        winningEntryNumber: null,
        winnerLast4: null,
        status: 'announced',
        beacon: {
          chainHash: 'ef'.repeat(32),
          round: 35_000_000,
          expectedAt: '2026-12-01T17:00:00.000000Z',
        },
        ...changes,
      });

    beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-28T12:00Z') }));
    afterEach(() => vi.useRealTimers());

    it('is one line for each raffle, which says so if it was drawn this month', async () => {
      server.use(
        listing([
          ahead(),
          aDrawing({ id: 5, landingPage: 'fresh-sips', drawnAt: '2026-11-27T17:00:00Z' }),
          aDrawing({ id: 6, landingPage: 'kitchen-garden', drawnAt: '2026-10-31T17:00:00Z' }),
        ]),
      );
      await renderPath('/drawings');
      expect(await lines()).toEqual([
        'Garden Bag Essentials: next drawing December 1',
        'Fresh Sips Mixology Kit: next drawing December 1st✓ Drawn November 27',
        'Kitchen Garden Essentials: next drawing December 1st',
        'Sustainable Living Starter Kit: next drawing December 1st',
      ]);
      expect(within(await section('Past drawings')).getAllByRole('listitem')).toHaveLength(2);
    });

    it('leads to the list of a sealed drawing, and names an extra one', async () => {
      const waiting = { ...ahead().beacon!, waitingSince: '2026-12-01T17:00:00Z' };
      server.use(
        listing([
          ahead({
            id: 9,
            kind: 'additional',
            reason: 'A second kit',
            prize: { name: 'Citrus press', value: '$24' },
          }),
          ahead({ id: 8, status: 'sealed', beacon: waiting }),
        ]),
      );
      await renderPath('/drawings');
      const [garden, , , , extra] = await lines();
      expect(garden).toMatch(
        /December 1, its list is final\. Waiting for the beacon since December/,
      );
      expect(screen.getByRole('link', { name: 'December 1' })).toHaveAttribute(
        'href',
        '/drawings/8',
      );
      expect(extra).toBe('Garden Bag Essentials, extra drawing: December 1');
      expect(screen.getByText('No drawings yet.')).toBeInTheDocument();
    });
  });

  it('names the raffles of the page, and those that have ended only with a drawing to come', async () => {
    const { 'garden-bag': bag, 'fresh-sips': sips, 'kitchen-garden': kitchen } = raffles;
    server.use(listing([aDrawing({ status: 'announced', landingPage: 'fresh-sips' })]));
    await renderPath('/drawings', undefined, [
      { ...bag!, name: 'Bigger Bag' },
      { ...sips!, isOpen: false },
      { ...kitchen!, isOpen: false },
    ]);
    const next = within(await section('Next drawings'));
    const names = next.getAllByRole('link').map(({ textContent }) => textContent);
    expect(names).toEqual(['Bigger Bag', 'Fresh Sips Mixology Kit']);
  });

  it('says what will appear here before anything is drawn', async () => {
    server.use(listing([]));
    await renderPath('/drawings');
    expect(await screen.findByText(/^No drawings yet/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'See the raffles' })).toHaveAttribute(
      'href',
      '/welcome',
    );
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

  it('shows those of one raffle, and leads to all', async () => {
    const asked: string[] = [];
    server.use(listing([aDrawing({ landingPage: 'fresh-sips' })], 41, asked));
    await renderPath('/drawings?raffle=fresh-sips&page=2');
    const past = within(await section('Past drawings'));
    expect(await past.findByText(/^Only those of Fresh Sips Mixology Kit\./)).toBeInTheDocument();
    expect(asked).toEqual(['?landingPage=fresh-sips&limit=20&offset=20']);
    const href = (name: string) => past.getByRole('link', { name }).getAttribute('href');
    expect(href('Show all drawings')).toBe('/drawings#past');
    expect(href('Show later drawings')).toBe('/drawings?raffle=fresh-sips#past');
    expect(href('Show earlier drawings')).toBe('/drawings?raffle=fresh-sips&page=3#past');
  });

  it('says what is next for one raffle, and that it has none yet', async () => {
    server.use(listing([]));
    await renderPath('/drawings?raffle=fresh-sips');
    const next = within(await section('Next drawings'));
    expect(next.getAllByRole('listitem')).toHaveLength(1);
    expect(screen.getByText('This raffle has none.')).toBeInTheDocument();
  });

  it('has nothing to come of a raffle that has ended', async () => {
    server.use(listing([]));
    await renderPath('/drawings?raffle=fresh-sips', undefined, [
      { ...raffles['fresh-sips']!, isOpen: false },
    ]);
    await screen.findByText('This raffle has none.');
    expect(screen.queryByText('Next drawings')).not.toBeInTheDocument();
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
  });

  it('says what failed, and tries again when asked', async () => {
    server.use(refusing('/api/drawings', 503, { error: 'Away' }));
    await renderPath('/drawings');
    const past = await section('Past drawings');
    expect(await within(past).findByRole('alert')).toHaveTextContent('We are busy right now.');
    server.use(listing([aDrawing()]));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await within(past).findByRole('listitem')).toBeInTheDocument();
  });
});
