import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { FlaggedUserView, SuspiciousActivityView } from '../../api/admin';
import { aDashboard, aFlaggedUser } from '../../../testing/console/builders';
import { adminCall, never } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { saveFile } from '../../lib/saveFile';

vi.mock('../../lib/saveFile');

const TAB = '?section=analytics&tab=security';

const anAddress = (changes: Partial<SuspiciousActivityView> = {}): SuspiciousActivityView => ({
  ipAddress: '203.0.113.7',
  count: 4,
  flagged: false,
  userId: 12,
  ...changes,
});

/** The dashboard's list of addresses; a function is asked each time. */
const suspicious = (rows: SuspiciousActivityView[] | (() => SuspiciousActivityView[])) =>
  adminCall('get', 'analytics/dashboard', () =>
    aDashboard({ suspiciousActivity: typeof rows === 'function' ? rows() : rows }),
  );

const flaggedAre = (users: FlaggedUserView[] | (() => FlaggedUserView[]), total?: number) =>
  adminCall(
    'get',
    'flagged-users',
    () => ({ flaggedUsers: typeof users === 'function' ? users() : users }),
    total === undefined ? {} : { 'X-Total-Count': String(total) },
  );

function render() {
  server.use(flaggedAre([]));
  return renderAdmin(TAB);
}

const addresses = () => screen.findByRole('table', { name: /each address/ });
const flagged = () => screen.findByRole('table', { name: /excluded from the raffles/ });
const flagButton = () => screen.findByRole('button', { name: /^Flag \(User\)/ });

describe('the security tab', () => {
  it('says what a flag means', async () => {
    render();
    expect(
      await screen.findByText(/Flagged users are excluded from all raffle drawings/),
    ).toHaveTextContent('They can still use the site but cannot win.');
  });
});

describe('suspicious activity', () => {
  it('lists addresses with their accounts and status', async () => {
    server.use(
      suspicious([
        anAddress(),
        anAddress({ ipAddress: '2001:db8::7', count: 1_200, flagged: true }),
        anAddress({ ipAddress: '203.0.113.9', count: 3, userId: null }),
      ]),
    );
    render();
    const rows = rowsOf(await addresses());
    expect(rows.map((row) => row.slice(0, 3))).toEqual([
      ['203.0.113.7', '4', 'Active'],
      ['2001:db8::7', '1,200', 'Flagged'],
      ['203.0.113.9', '3', 'Active'],
    ]);
  });

  it('offers to flag only where nobody is flagged and somebody is named', async () => {
    server.use(
      suspicious([
        anAddress({ ipAddress: '203.0.113.1' }),
        anAddress({ ipAddress: '203.0.113.2', flagged: true }),
        anAddress({ ipAddress: '203.0.113.3', userId: null }),
      ]),
    );
    render();
    const buttons = within(await addresses()).getAllByRole('button', { name: /^Flag/ });
    expect(buttons).toHaveLength(1);
    expect(buttons[0]).toHaveAccessibleName('Flag (User) 12 of 203.0.113.1');
  });

  it('says so when there is none', async () => {
    render();
    expect(await screen.findByText('No suspicious activity')).toBeInTheDocument();
  });

  it('flags the user of the row, once, and says so', async () => {
    const sent: unknown[] = [];
    let isFlagged = false;
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    server.use(
      suspicious(() => [anAddress({ flagged: isFlagged })]),
      adminCall('post', 'flag-user', async (request) => {
        sent.push(await request.json());
        await held;
        isFlagged = true;
        return { success: true };
      }),
    );
    const { user } = render();
    await user.dblClick(await flagButton());
    answer();
    expect(await toast()).toHaveTextContent('User flagged');
    await waitFor(async () => expect(await addresses()).toHaveTextContent('Flagged'));
    expect(sent).toEqual([{ userId: 12, reason: 'Multiple accounts from IP 203.0.113.7' }]);
    const table = await addresses();
    expect(within(table).queryByRole('button', { name: /^Flag/ })).not.toBeInTheDocument();
    expect(document.activeElement).toContainElement(table); // not thrown back to the page's start
  });

  it('shows nobody flagged when that failed, without a toast', async () => {
    server.use(
      suspicious([anAddress()]),
      refusing('/api/admin/flag-user', 500, { error: 'No', code: 'internal' }),
    );
    const { user } = render();
    await user.click(await flagButton());
    expect(await screen.findByText('Not flagged. Try again.')).toHaveAttribute('role', 'status');
    expect(await addresses()).toHaveTextContent('Active');
    expect(screen.queryByText('User flagged')).not.toBeInTheDocument();
    expect(await flagButton()).not.toHaveAttribute('aria-disabled');
  });
});

describe('running fraud detection', () => {
  const button = () => screen.findByRole('button', { name: /^Run/ });

  it.each([
    [0, 'No new accounts were flagged.'],
    [1, '1 new account was flagged.'],
    [1_204, '1,204 new accounts were flagged.'],
  ])('that flags %i says how many, and refreshes the lists', async (count, sentence) => {
    let ran = false;
    server.use(
      suspicious(() => (ran ? [anAddress({ flagged: true })] : [])),
      adminCall('post', 'fraud-detection', () => {
        ran = true;
        return { flagged: count };
      }),
    );
    const { user } = render();
    await user.click(await button());
    expect(await toast()).toHaveTextContent(
      'Fraud detection completedSuspicious accounts have been flagged',
    );
    expect(await screen.findByText(sentence)).toHaveAttribute('role', 'status');
    expect(await addresses()).toHaveTextContent('203.0.113.7');
  });

  it('says that it runs, and runs once', async () => {
    let runs = 0;
    server.use(
      adminCall('post', 'fraud-detection', async () => {
        runs += 1;
        await never();
        return {};
      }),
    );
    const { user } = render();
    await user.dblClick(await button());
    expect(await screen.findByRole('button', { name: 'Running...' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await waitFor(() => expect(runs).toBe(1));
  });

  it('says quietly that it failed', async () => {
    server.use(http.post('*/api/admin/fraud-detection', () => HttpResponse.error()));
    const { user } = render();
    await user.click(await button());
    expect(await screen.findByText('Fraud detection did not run. Try again.')).toBeInTheDocument();
    expect(screen.queryByText('Fraud detection completed')).not.toBeInTheDocument();
    expect(await button()).toHaveTextContent('Run Fraud Detection');
  });
});

describe('the flagged users', () => {
  it('are listed with all that is known of them, and only their last digits', async () => {
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

  it('that are not in a landing page say so', async () => {
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
    render();
    const title = await screen.findByText('No flagged users');
    expect(title.parentElement).toHaveTextContent('All users are eligible for drawings');
  });

  it('wait in their place', async () => {
    server.use(http.get('*/api/admin/flagged-users', never));
    renderAdmin(TAB);
    const list = await screen.findByRole('region', { name: 'Flagged Users' });
    expect(within(list).getByText('Loading...')).toBeInTheDocument();
  });

  it('that did not arrive are asked for again', async () => {
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

describe('unflagging', () => {
  async function open() {
    let users = [aFlaggedUser()];
    const sent: unknown[] = [];
    server.use(
      flaggedAre(() => users),
      adminCall('post', 'unflag-user', async (request) => {
        sent.push(await request.json());
        users = [];
        return { success: true };
      }),
    );
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Unflag ***-***-4567' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Unflag ***-***-4567?' });
    return { user, sent, dialog, reason: screen.getByLabelText('Reason') };
  }
  const confirm = (dialog: HTMLElement) => within(dialog).getByRole('button', { name: 'Unflag' });

  it('asks why, tells what it means, and lets them win again', async () => {
    const { user, sent, dialog, reason } = await open();
    expect(dialog).toHaveAccessibleDescription(/takes part in the drawings of Garden Bag/);
    await user.type(reason, '  A family of four ');
    await user.click(confirm(dialog));
    expect(await toast()).toHaveTextContent('User unflagged');
    expect(await screen.findByText('No flagged users')).toBeInTheDocument();
    expect(sent).toEqual([{ userId: 7, reason: 'A family of four' }]);
    expect(dialog).not.toBeInTheDocument();
    const list = screen.getByRole('region', { name: 'Flagged Users' });
    await waitFor(() => expect(list).toContainElement(document.activeElement as HTMLElement));
  });

  it('does nothing without a reason', async () => {
    const { user, sent, dialog, reason } = await open();
    await user.type(reason, '   {Enter}');
    expect(reason).toHaveFocus();
    expect(reason).toHaveAccessibleDescription(/Enter a reason/);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(dialog).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('that failed keeps the dialog and what was typed', async () => {
    const { user, dialog, reason } = await open();
    server.use(refusing('/api/admin/unflag-user', 404, { error: 'Not found', code: 'not_found' }));
    await user.type(reason, 'A family{Enter}');
    expect(await within(dialog).findByText('Not found')).toHaveAttribute('role', 'alert');
    expect(reason).toHaveValue('A family');
  });

  it('puts the words of the server at the reason', async () => {
    const { user, reason } = await open();
    const fields = { reason: ['Must be at most 200 characters'] };
    server.use(
      refusing('/api/admin/unflag-user', 400, { error: 'No', code: 'validation', fields }),
    );
    await user.type(reason, 'x{Enter}');
    await waitFor(() =>
      expect(reason).toHaveAccessibleDescription(/Must be at most 200 characters/),
    );
  });
});
