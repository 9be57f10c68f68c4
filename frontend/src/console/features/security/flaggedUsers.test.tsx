import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { aFlaggedUser } from '../../../testing/console/builders';
import { adminCall, never } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { TAB, flaggedAre, renderTab, flagged } from '../../../testing/console/security';

describe('the flagged users', () => {
  it('are listed with all their details, and only the last digits of their numbers', async () => {
    const users = [
      aFlaggedUser(),
      aFlaggedUser({
        id: 8,
        landingPage: 'fresh-sips',
        totalEntries: 12_345,
        ipAddress: null,
        reason: 'Wrote that he has ten phones',
        evidence: [],
      }),
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
        '4 accounts on one network',
      ],
      [
        '***-***-4567 Excluded from Raffles',
        'Fresh Sips Mixology Kit',
        '12,345',
        'N/A',
        'Nov 20, 2026',
        'Nov 21, 2026',
        'Wrote that he has ten phones',
      ],
    ]);
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
    expect(screen.queryByRole('button', { name: 'Next page' })).not.toBeInTheDocument();
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
