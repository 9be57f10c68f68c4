import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aDrawing,
  announcement,
  committed,
  listing,
  section,
} from '../../../testing/site/drawings';
import { renderPath } from '../../../testing/site/renderPath';
import { refusing, server } from '../../../testing/server';

describe('the page of all drawings', () => {
  beforeEach(() => server.use(committed, listing([aDrawing()])));

  it('shows each raffle’s announced drawing: its commitment, and when it is frozen and drawn', async () => {
    await renderPath('/drawings');
    const before = await section('The next drawings');
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
      expect(
        within(before).getAllByText('Announced November 1, 2026 at 12:00 AM EDT'),
      ).toHaveLength(4),
    );
    expect(within(before).getAllByText('Frozen December 1, 2026 at 12:00 AM EST')).toHaveLength(4);
    expect(within(before).getAllByText('Drawn December 1, 2026 at 12:00 PM EST')).toHaveLength(4);
    const codes = [...before.querySelectorAll('code')].map((code) => code.textContent);
    expect(codes).toEqual(Array(4).fill('ab'.repeat(32)));
  });

  it('says so where no drawing is announced', async () => {
    server.use(
      refusing('/api/raffles/fresh-sips/commitment', 409, { error: 'None', code: 'no_commitment' }),
    );
    await renderPath('/drawings');
    expect(await screen.findByText(/^No drawing is announced now/)).toBeInTheDocument();
    expect(await screen.findAllByText(/^Announced November/)).toHaveLength(3);
  });

  it('leads to the list of a drawing that is sealed', async () => {
    server.use(
      http.get('*/api/raffles/fresh-sips/commitment', () =>
        HttpResponse.json({ ...announcement, landingPage: 'fresh-sips', status: 'sealed' }),
      ),
    );
    await renderPath('/drawings');
    const link = await screen.findByRole('link', { name: 'The list is frozen. See it' });
    expect(link).toHaveAttribute('href', '/drawings/8');
  });

  it('copies a commitment as one word, and says so', async () => {
    const { user } = await renderPath('/drawings');
    const copied = vi.spyOn(navigator.clipboard, 'writeText');
    await screen.findAllByText(/^Announced/);
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
    await screen.findAllByText(/^Announced/);
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
    expect(row).toHaveTextContent('The entry’s phone number ends in 4567');
  });

  it('shows how far a drawing is that has no winner', async () => {
    const open = { winningEntryNumber: null, winnerLast4: null };
    const beacon = {
      chainHash: 'ef'.repeat(32),
      round: 35_000_000,
      expectedAt: '2026-12-01T17:00:00.000000Z',
    };
    server.use(
      listing([
        aDrawing({ ...open, id: 9, status: 'sealed', beacon }),
        aDrawing({ ...open, id: 8, status: 'void', voidReason: 'No beacon came.' }),
        aDrawing({ id: 7, status: 'drawn', reason: 'A second kit' }),
      ]),
    );
    await renderPath('/drawings');
    const rows = await within(await section('Past drawings')).findAllByRole('listitem');
    expect(rows[0]).toHaveTextContent(/^Sealed.*To be drawn December 1, 2026 at 12:00 PM EST/);
    expect(rows[0]).not.toHaveTextContent('phone number');
    expect(rows[1]).toHaveTextContent(/^Void.*No beacon came\./);
    expect(rows[2]).toHaveTextContent(/^Entry1,234,567.*Additional drawing: A second kit/);
  });

  it('says what will appear here before anything is drawn', async () => {
    server.use(listing([]));
    await renderPath('/drawings');
    expect(await screen.findByText(/^No drawings yet/)).toBeInTheDocument();
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
    expect(await screen.findAllByText(/^Announced/)).toHaveLength(3);
    server.use(committed, listing([aDrawing()]));
    for (const button of screen.getAllByRole('button', { name: 'Try again' })) {
      await userEvent.click(button);
    }
    expect(await within(past).findByRole('listitem')).toBeInTheDocument();
    await waitFor(() => expect(screen.getAllByText(/^Announced/)).toHaveLength(4));
  });
});
