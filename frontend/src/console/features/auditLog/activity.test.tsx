import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditEntryView } from '../../api/admin';
import { anAuditEntry } from '../../../testing/console/builders';
import { adminCall, never, TOKEN, unauthorized } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { watchSavedFiles } from '../../../testing/console/savedFiles';
import { refusing, server } from '../../../testing/server';

const SETTINGS = '?section=settings';

let asked: string[];
beforeEach(() => {
  asked = [];
});

function logging(entries: AuditEntryView[], total = entries.length) {
  return adminCall(
    'get',
    'audit-log',
    (request) => {
      asked.push(new URL(request.url).search);
      return { entries };
    },
    { 'X-Total-Count': String(total) },
  );
}

const log = () => screen.findByRole('table', { name: /What staff did/ });
const part = () => screen.findByRole('region', { name: 'Activity' });

describe('the activity', () => {
  it('says what was done, when, to whom, and from where', async () => {
    server.use(
      logging([
        anAuditEntry({ id: 4, member: 'ana' }),
        anAuditEntry({
          id: 3,
          action: 'unflag_user',
          target: '12',
          details: { reason: 'A family of four' },
        }),
        anAuditEntry({
          id: 2,
          action: 'clear_analytics',
          details: { pageViews: 12_345, funnelSteps: 0 },
          ipAddress: null,
        }),
        anAuditEntry({
          id: 1,
          action: 'perform_drawing',
          target: '7',
          details: { landingPage: 'garden-bag', winningEntryNumber: 2_313 },
        }),
        anAuditEntry({
          id: 0,
          action: 'update_package',
          target: '3',
          details: { name: 'Mega Pack', entries: 1_000, priceInCents: 4_990 },
        }),
        anAuditEntry({ id: -1, action: 'update_settings', details: { showPricing: 'on' } }),
        anAuditEntry({
          id: -2,
          action: 'schedule_campaign',
          target: '12',
          details: { name: 'July news' },
        }),
        anAuditEntry({ id: -3, action: 'update_welcome_sms', target: 'fresh-sips' }),
        anAuditEntry({
          id: -4,
          action: 'save_credentials',
          details: { phoneNumberLast4: '0042' },
        }),
      ]),
    );
    renderAdmin(SETTINGS);
    const when = 'Nov 21, 2026, 10:00 AM'; // in New York
    const plain = rowsOf(await log()).map((row) => row.map((cell) => cell?.replace(/\s+/g, ' ')));
    expect(plain).toEqual([
      [when, 'Login', 'ana', '–', '–', '203.0.113.9'],
      [when, 'Unflag user', '–', 'User 12', 'Reason: A family of four', '203.0.113.9'],
      [when, 'Clear analytics', '–', '–', 'Page views: 12,345Funnel steps: 0', 'N/A'],
      [
        when,
        'Perform drawing',
        '–',
        'Drawing 7',
        'Raffle: Garden Bag EssentialsWinning entry number: 2,313',
        '203.0.113.9',
      ],
      [
        when,
        'Update package',
        '–',
        'Package 3',
        'Name: Mega PackEntries: 1,000Price: $49.90',
        '203.0.113.9',
      ],
      [when, 'Update settings', '–', '–', 'Show pricing: on', '203.0.113.9'],
      [when, 'Schedule campaign', '–', 'Campaign 12', 'Name: July news', '203.0.113.9'],
      [when, 'Update welcome message', '–', 'Fresh Sips Mixology Kit', '–', '203.0.113.9'],
      [when, 'Save text credentials', '–', '–', 'Phone number: ends in 0042', '203.0.113.9'],
    ]);
  });

  it('says what became of accounts, sessions and proposals', async () => {
    server.use(
      logging([
        anAuditEntry({
          id: 9,
          details: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0' },
        }),
        anAuditEntry({
          id: 8,
          action: 'login_failed',
          target: '2',
          details: { reason: 'password' },
        }),
        anAuditEntry({
          id: 7,
          action: 'change_member',
          target: '2',
          details: { name: 'ben', oldRole: 'viewer', role: 'manager' },
        }),
        anAuditEntry({ id: 6, action: 'end_sessions', target: '31' }),
        anAuditEntry({ id: 5, action: 'propose', target: '11' }),
        anAuditEntry({ id: 4, action: 'approve_proposal', target: '11' }),
        anAuditEntry({ id: 3, action: 'reject_proposal', target: '12' }),
        anAuditEntry({
          id: 2,
          action: 'export_numbers',
          target: '4',
          details: { list: 'campaign', rows: 1_200 },
        }),
      ]),
    );
    renderAdmin(SETTINGS);
    const seen = rowsOf(await log()).map(([, action, , target, details]) => [
      action,
      target,
      details,
    ]);
    expect(seen).toEqual([
      ['Login', '–', 'Browser: Firefox on Linux'],
      ['Failed login', 'Account 2', 'Reason: password'],
      ['Change account', 'Account ben', 'Role before: viewerRole: manager'],
      ['End sessions', 'Session 31', '–'],
      ['Propose', 'Proposal 11', '–'],
      ['Approve proposal', 'Proposal 11', '–'],
      ['Reject proposal', 'Proposal 12', '–'],
      ['Export phone numbers', 'Campaign 4', 'List: campaignRows: 1,200'],
    ]);
  });

  it('says keys, codes, ids and times in words, and links what was changed', async () => {
    server.use(
      logging([
        anAuditEntry({
          id: 5,
          action: 'flag_user',
          target: '4503599627370495',
          details: { reason: 'Two accounts', publicReason: 'several_accounts' },
        }),
        anAuditEntry({
          id: 4,
          action: 'schedule_campaign',
          target: '12',
          details: {
            templateId: 2_000,
            trackingUrlBase: 'https://example.com',
            scheduledDate: '2026-12-04T09:17:30.041864647Z',
            targetAudience: 'landing_page',
          },
        }),
        anAuditEntry({ id: 3, action: 'publish_raffle', target: 'fresh-sips' }),
        anAuditEntry({ id: 2, action: 'delete_raffle', target: 'fresh-sips' }),
      ]),
    );
    const { user } = renderAdmin(SETTINGS);
    const rows = rowsOf(await log()).map(([, , , target, details]) => [
      target,
      details?.replace(/\s+/g, ' '),
    ]);
    expect(rows).toEqual([
      ['User 4503599627370495', 'Reason: Two accountsReason that the user reads: several accounts'],
      [
        'Campaign 12',
        'Template: 2000Links begin with: https://example.comScheduled date: Dec 4, 2026, 4:17 AMTo: landing page',
      ],
      ['Fresh Sips Mixology Kit', '–'],
      ['Fresh Sips Mixology Kit', '–'],
    ]);
    const links = within(await log()).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/admin?section=people&person=4503599627370495',
      '/admin?section=sms&tab=campaigns&campaign=12',
      '/admin?section=raffles&view=fresh-sips',
    ]);
    await user.click(links[0]!);
    expect(location.search).toBe('?section=people&person=4503599627370495');
  });

  it('says in a line or two what a run of the terms erased', async () => {
    const none = { days: 30, droppedViews: 0, forgottenNumbers: 0, incomplete: 0, views: 0 };
    server.use(
      logging([
        anAuditEntry({ id: 2, action: 'run_retention', details: none }),
        anAuditEntry({
          id: 1,
          action: 'run_retention',
          details: { ...none, views: 1_200, incomplete: 1 },
        }),
      ]),
    );
    renderAdmin(SETTINGS);
    expect(rowsOf(await log()).map((row) => row[4])).toEqual([
      'Kept for 30 daysNothing was older',
      'Kept for 30 daysViews: 1,200The rest follows with the next run',
    ]);
  });

  it('is filtered by what stands in the address', async () => {
    server.use(logging([anAuditEntry()]));
    renderAdmin(`${SETTINGS}&action=login&startDate=2026-11-01&endDate=2026-11-21&offset=25`);
    await log();
    expect(asked).toEqual([
      '?action=login&startDate=2026-11-01&endDate=2026-11-21&limit=25&offset=25',
    ]);
    expect(screen.getByLabelText('Action')).toHaveValue('login');
    expect(screen.getByLabelText('Start date')).toHaveValue('2026-11-01');
    expect(screen.getByLabelText('End date')).toHaveValue('2026-11-21');
  });

  it('begins at the first page for another filter, and goes back', async () => {
    server.use(logging([anAuditEntry()], 60));
    const { user } = renderAdmin(`${SETTINGS}&offset=50`);
    await log();
    await user.selectOptions(screen.getByLabelText('Action'), 'Flag user');
    expect(location.search).toBe('?section=settings&action=flag_user');
    await waitFor(() => expect(asked.at(-1)).toBe('?action=flag_user&limit=25&offset=0'));
    act(() => history.back());
    await waitFor(() => expect(screen.getByLabelText('Action')).toHaveValue(''));
    expect(location.search).toBe('?section=settings&offset=50');
  });

  it('has pages', async () => {
    server.use(logging([anAuditEntry()], 60));
    const { user } = renderAdmin(SETTINGS);
    const pages = await screen.findByRole('navigation', { name: 'Pages of actions' });
    expect(pages).toHaveTextContent('1–25 of 60 actions');
    await user.click(within(pages).getByRole('button', { name: 'Next page' }));
    expect(location.search).toBe('?section=settings&offset=25');
    await waitFor(() => expect(asked.at(-1)).toBe('?limit=25&offset=25'));
    await user.click(await screen.findByRole('button', { name: 'Previous page' }));
    expect(location.search).toBe('?section=settings');
  });

  it('says what will appear when it is empty', async () => {
    server.use(logging([]));
    renderAdmin(SETTINGS);
    expect(await screen.findByText('No activity yet')).toBeInTheDocument();
  });

  it('leads back from a page past its last one', async () => {
    server.use(logging([], 60));
    const { user } = renderAdmin(`${SETTINGS}&offset=75`);
    expect(await screen.findByText('There is no such page.')).toBeInTheDocument();
    expect(screen.queryByText('No activity yet')).not.toBeInTheDocument();
    server.use(logging([anAuditEntry()], 60));
    await user.click(screen.getByRole('button', { name: 'Show the first page' }));
    expect(await log()).toBeInTheDocument();
    expect(location.search).toBe(SETTINGS);
  });

  it('says when nothing matches', async () => {
    server.use(logging([]));
    renderAdmin(`${SETTINGS}&action=login`);
    expect(await screen.findByText('Nothing matches')).toBeInTheDocument();
  });

  it('keeps its place while it is on its way', async () => {
    server.use(http.get('*/api/admin/audit-log', never));
    renderAdmin(SETTINGS);
    expect(within(await part()).getByText('Loading...')).toBeInTheDocument();
  });

  it('can be fetched again after a failure', async () => {
    server.use(refusing('/api/admin/audit-log', 500, { error: 'Broken' }));
    const { user } = renderAdmin(SETTINGS);
    const retry = await within(await part()).findByRole('button', { name: 'Try again' });
    server.use(logging([anAuditEntry()]));
    await user.click(retry);
    expect(await log()).toBeInTheDocument();
  });

  it('puts what is wrong with a date at its input', async () => {
    const fields = { endDate: ['Must not be before the start'] };
    server.use(refusing('/api/admin/audit-log', 400, { error: 'No', code: 'validation', fields }));
    renderAdmin(`${SETTINGS}&startDate=2026-11-21&endDate=2026-11-01`);
    await waitFor(() =>
      expect(screen.getByLabelText('End date')).toHaveAccessibleDescription(
        'Must not be before the start',
      ),
    );
  });
});

describe('exporting', () => {
  let saved: ReturnType<typeof watchSavedFiles>;
  beforeEach(() => {
    saved = watchSavedFiles();
    server.use(logging([anAuditEntry()]));
  });
  afterEach(() => vi.restoreAllMocks());

  const button = () => screen.findByRole('button', { name: /^Export/ });

  it("saves all rows that match, with the session's token", async () => {
    const calls: [string, string | null][] = [];
    server.use(
      http.get('*/api/admin/audit-log/export', ({ request }) => {
        calls.push([new URL(request.url).search, request.headers.get('Authorization')]);
        return HttpResponse.text('id,createdAt\r\n1,2026-11-21\r\n', {
          headers: { 'Content-Type': 'text/csv' },
        });
      }),
    );
    const { user } = renderAdmin(`${SETTINGS}&action=login&offset=25`);
    await user.click(await button());
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(calls).toEqual([['?action=login', `Bearer ${TOKEN}`]]);
    expect(saved[0]?.name).toMatch(/^tombola-activity-\d{4}-\d\d-\d\d\.csv$/);
    const bytes = new Uint8Array(await saved[0]!.blob.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]); // spreadsheets take it for UTF-8
    expect(new TextDecoder().decode(bytes)).toBe('id,createdAt\r\n1,2026-11-21\r\n');
  });

  it('shows an error when it fails', async () => {
    server.use(refusing('/api/admin/audit-log/export', 503, '', { 'Retry-After': '5' }));
    const { user } = renderAdmin(SETTINGS);
    await user.click(await button());
    expect(await screen.findByText(/^Export failed/)).toHaveTextContent('try again in 5 seconds');
    expect(saved).toEqual([]);
    expect(await button()).toHaveTextContent('Export CSV');
  });

  it('ends the session where the server does', async () => {
    server.use(http.get('*/api/admin/audit-log/export', unauthorized));
    const { user } = renderAdmin(SETTINGS);
    await user.click(await button());
    expect(await screen.findByText(/Your session has ended/)).toBeInTheDocument();
  });
});
