import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { aDrawing } from '../../../testing/console/builders';
import { never, TOKEN } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { watchSavedFiles } from '../../../testing/console/savedFiles';
import { refusing, server } from '../../../testing/server';
import {
  installDrawing,
  DRAWING,
  HISTORY,
  asked,
  historyIs,
} from '../../../testing/console/drawing';

installDrawing();

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

  it('shows a loading state', async () => {
    server.use(http.get(`*${HISTORY}`, never));
    renderAdmin(DRAWING);
    expect(within(await part('Drawing History')).getByText('Loading...')).toBeInTheDocument();
  });

  it('can be fetched again after a failure', async () => {
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

  it('leads back from a page past the last one', async () => {
    server.use(historyIs(() => (asked.at(-1)?.includes('offset=0') ? [aDrawing()] : []), 1));
    const { user } = renderAdmin(`${DRAWING}&offset=50`);
    await user.click(await screen.findByRole('button', { name: 'Show the first page' }));
    expect(await table()).toBeInTheDocument();
    expect(location.search).toBe(DRAWING);
  });
});

describe('exporting the history', () => {
  const button = () => screen.findByRole('button', { name: /^Export/ });

  it("saves the server's file unchanged", async () => {
    const saved = watchSavedFiles();
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

  it('shows an error when it fails', async () => {
    server.use(refusing(`${HISTORY}/export`, 503, '', { 'Retry-After': '5' }));
    const { user } = renderAdmin(DRAWING);
    await user.click(await button());
    expect(await screen.findByText(/^Export failed/)).toHaveTextContent('try again in 5 seconds');
    expect(await button()).toHaveTextContent('Export CSV');
  });
});
