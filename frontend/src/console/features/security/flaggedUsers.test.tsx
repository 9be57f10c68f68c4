import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { aFlaggedUser } from '../../../testing/console/builders';
import { adminCall, never } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { TAB, flaggedAre, renderTab, flagged } from '../../../testing/console/security';
import { saveFile } from '../../lib/saveFile';

vi.mock('../../lib/saveFile');

describe('the flagged users', () => {
  it('are listed with all their details, and only the last digits of their numbers', async () => {
    const users = [
      aFlaggedUser(),
      aFlaggedUser({ id: 8, landingPage: 'fresh-sips', totalEntries: 12_345, ipAddress: null }),
    ];
    server.use(flaggedAre(users));
    renderAdmin(TAB);
    const rows = rowsOf(await flagged()).map((row) => row.slice(0, -1));
    expect(rows).toEqual([
      [
        '***-***-4567 Excluded from Raffles',
        'Garden Bag Essentials',
        '3',
        '203.0.113.7',
        'Nov 20, 2026',
        'Nov 21, 2026',
        'Multiple accounts from IP 203.0.113.7',
      ],
      [
        '***-***-4567 Excluded from Raffles',
        'Fresh Sips Mixology Kit',
        '12,345',
        'N/A',
        'Nov 20, 2026',
        'Nov 21, 2026',
        'Multiple accounts from IP 203.0.113.7',
      ],
    ]);
  });

  it('have pages: the eleventh is seen and unflagged too', async () => {
    const all = Array.from({ length: 11 }, (_, id) =>
      aFlaggedUser({ id, phoneNumber: `+155512345${10 + id}` }),
    );
    const sent: unknown[] = [];
    server.use(
      adminCall(
        'get',
        'flagged-users',
        (request) => {
          const offset = Number(new URL(request.url).searchParams.get('offset'));
          return { flaggedUsers: all.slice(offset, offset + 10) };
        },
        { 'X-Total-Count': '11' },
      ),
      adminCall('post', 'unflag-user', async (request) => {
        sent.push(await request.json());
        return { success: true };
      }),
    );
    const { user } = renderAdmin(TAB);
    await flagged();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(location.search).toBe(`${TAB}&offset=10`);
    await user.click(await screen.findByRole('button', { name: 'Unflag ***-***-4520' }));
    await user.type(screen.getByLabelText('Reason'), 'A family{Enter}');
    expect(await toast()).toHaveTextContent('User unflagged');
    expect(sent).toEqual([{ userId: 10, reason: 'A family' }]);
  });

  it('are ten at most, with how many more there are', async () => {
    const asked: string[] = [];
    const users = Array.from({ length: 10 }, (_, id) => aFlaggedUser({ id }));
    server.use(
      adminCall(
        'get',
        'flagged-users',
        (request) => {
          asked.push(new URL(request.url).search);
          return { flaggedUsers: users };
        },
        { 'X-Total-Count': '1234' },
      ),
    );
    renderAdmin(TAB);
    expect(rowsOf(await flagged())).toHaveLength(10);
    expect(screen.getByText('... and 1,224 more flagged users')).toBeInTheDocument();
    expect(asked).toEqual(['?sort=flaggedAt&order=desc&limit=10&offset=0']);
  });

  it('are sorted by their headers, filtered by landing page, and exported', async () => {
    const asked: string[] = [];
    const flaggedUsers = [aFlaggedUser(), aFlaggedUser({ id: 8 })]; // a single one is not sorted
    server.use(
      adminCall(
        'get',
        'flagged-users',
        (request) => {
          asked.push(new URL(request.url).search);
          return { flaggedUsers };
        },
        { 'X-Total-Count': '2' },
      ),
      http.get('*/api/admin/flagged-users/export', ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.text('id\n7\n', { headers: { 'Content-Type': 'text/csv' } });
      }),
    );
    const { user } = renderAdmin(TAB);
    const list = within(await screen.findByRole('region', { name: 'Flagged Users' }));
    const header = (name: string) =>
      within(screen.getByRole('columnheader', { name })).getByRole('button');
    await flagged();
    await user.click(header('Total entries'));
    await user.click(header('Total entries'));
    await user.click(header('Registered'));
    await user.click(header('Flagged'));
    await user.selectOptions(list.getByLabelText('Landing page'), 'Fresh Sips Mixology Kit');
    expect(location.search).toBe(`${TAB}&landingPage=fresh-sips`);
    await waitFor(() => expect(asked).toHaveLength(5));
    await user.click(list.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
    const [name, text] = vi.mocked(saveFile).mock.calls[0]!;
    expect(name).toMatch(/^tombola-flagged-users-\d{4}-\d\d-\d\d\.csv$/);
    expect(text).toBe('id\n7\n');
    expect(asked).toEqual([
      '?sort=flaggedAt&order=desc&limit=10&offset=0',
      '?sort=totalEntries&order=desc&limit=10&offset=0',
      '?sort=totalEntries&order=asc&limit=10&offset=0',
      '?sort=createdAt&order=desc&limit=10&offset=0',
      '?landingPage=fresh-sips&sort=flaggedAt&order=desc&limit=10&offset=0',
      '?landingPage=fresh-sips',
    ]);
  });

  it('say when none is of the landing page', async () => {
    server.use(flaggedAre([]));
    const { user } = renderAdmin(`${TAB}&landingPage=fresh-sips`);
    const list = within(await screen.findByRole('region', { name: 'Flagged Users' }));
    expect(await list.findByText('Nothing matches')).toBeInTheDocument();
    await user.click(list.getByRole('button', { name: 'Clear filters' }));
    expect(await list.findByText('No flagged users')).toBeInTheDocument();
  });

  it('have no such note when all are listed', async () => {
    server.use(flaggedAre([aFlaggedUser()], 1));
    renderAdmin(TAB);
    await flagged();
    expect(screen.queryByText(/more flagged/)).not.toBeInTheDocument();
  });

  it('may be none', async () => {
    renderTab();
    const title = await screen.findByText('No flagged users');
    expect(title.parentElement).toHaveTextContent('All users are eligible for drawings');
  });

  it('show a loading state', async () => {
    server.use(http.get('*/api/admin/flagged-users', never));
    renderAdmin(TAB);
    const list = await screen.findByRole('region', { name: 'Flagged Users' });
    expect(within(list).getByText('Loading...')).toBeInTheDocument();
  });

  it('can be fetched again after a failure', async () => {
    server.use(
      refusing('/api/admin/flagged-users', 503, { error: 'Away' }, { 'Retry-After': '3' }),
    );
    const { user } = renderAdmin(TAB);
    const list = await screen.findByRole('region', { name: 'Flagged Users' });
    expect(await within(list).findByRole('alert')).toHaveTextContent('try again in 3 seconds');
    server.use(flaggedAre([aFlaggedUser()]));
    await user.click(within(list).getByRole('button', { name: 'Try again' }));
    await flagged();
  });
});
