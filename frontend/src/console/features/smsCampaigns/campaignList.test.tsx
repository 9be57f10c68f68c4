import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { adminCall, never } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { aCampaign, anSmsStatus, smsHandlers } from '../../../testing/console/smsBuilders';
import { installCampaigns, TAB, LIST, stored, table } from '../../../testing/console/campaigns';
import { saveFile } from '../../lib/saveFile';

vi.mock('../../lib/saveFile');

installCampaigns();

describe('the campaigns', () => {
  it('are listed with their times, audiences and progress', async () => {
    stored.campaigns = [
      aCampaign(),
      aCampaign({
        id: 11,
        campaignName: 'June news',
        targetAudience: 'landing_page',
        landingPageFilter: 'fresh-sips',
        status: 'sending',
        recipientCount: 2_000,
        sentCount: 1_200,
        errorCount: 3,
        skippedCount: 7,
      }),
      aCampaign({
        id: 10,
        campaignName: 'A few',
        targetAudience: 'custom',
        customPhoneNumberCount: 1,
        status: 'failed',
        recipientCount: 1,
        errorCount: 1,
      }),
      aCampaign({ id: 9, campaignName: 'Never', status: 'cancelled' }),
    ];
    renderAdmin(TAB);
    const rows = rowsOf(await table()).map((row) => row.slice(0, 5));
    const when = 'Jul 1, 2099, 12:00 PM';
    expect(rows).toEqual([
      ['July newsSummer', when, 'Everyone who agreed to texts', 'Pending', 'Not started'],
      [
        'June newsSummer',
        when,
        'Fresh Sips Mixology Kit',
        'Sending',
        '1,210 of 2,000: 1,200 sent, 3 failed, 7 skipped',
      ],
      ['A fewSummer', when, 'A list of 1 number', 'Failed', '1 of 1: 0 sent, 1 failed, 0 skipped'],
      ['NeverSummer', when, 'Everyone who agreed to texts', 'Cancelled', 'Not started'],
    ]);
    const bar = screen.getByRole('progressbar', { name: 'Progress of June news' });
    expect(bar).toHaveAttribute('value', '1210');
    expect(bar).toHaveAttribute('max', '2000');
    expect(screen.getAllByRole('button', { name: /^Cancel/ })).toHaveLength(1);
    expect(screen.getByRole('link', { name: 'June news' })).toHaveAttribute(
      'href',
      '/admin?section=sms&tab=campaigns&campaign=11',
    );
  });

  it('may be none', async () => {
    renderAdmin(TAB);
    expect(await screen.findByText('No campaigns yet')).toBeInTheDocument();
  });

  it('show a loading state, and can be fetched again after a failure', async () => {
    server.use(http.get(`*${LIST}`, never));
    const { unmount } = renderAdmin(TAB);
    expect(within(await part('Campaigns')).getByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing(LIST, 500, { error: 'Broken' }));
    const { user } = renderAdmin(TAB);
    const retry = await within(await part('Campaigns')).findByRole('button', { name: 'Try again' });
    stored.campaigns = [aCampaign()];
    server.use(...smsHandlers(stored));
    await user.click(retry);
    expect(await table()).toBeInTheDocument();
  });

  it('are paged by the address', async () => {
    const asked: string[] = [];
    server.use(
      adminCall(
        'get',
        'sms/campaigns',
        (request) => {
          const { search, searchParams } = new URL(request.url);
          asked.push(search);
          const isBehind = Number(searchParams.get('offset')) > 30;
          return { campaigns: isBehind ? [] : [aCampaign({ id: asked.length })] };
        },
        { 'X-Total-Count': '30' },
      ),
    );
    const { user } = renderAdmin(TAB);
    expect(await screen.findByText('1–25 of 30 campaigns')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(location.search).toBe(`${TAB}&offset=25`);
    expect(await screen.findByText('26–30 of 30 campaigns')).toBeInTheDocument();
    const newest = '?sort=createdAt&order=desc';
    expect(asked).toEqual([`${newest}&limit=25&offset=0`, `${newest}&limit=25&offset=25`]);
    act(() => history.replaceState(null, '', `/admin${TAB}&offset=75`));
    act(() => void dispatchEvent(new PopStateEvent('popstate')));
    await user.click(await screen.findByRole('button', { name: 'Show the first page' }));
    expect(location.search).toBe(TAB);
  });

  it('are sorted by their headers', async () => {
    const asked: string[] = [];
    server.use(
      adminCall(
        'get',
        'sms/campaigns',
        (request) => {
          const { searchParams } = new URL(request.url);
          asked.push(`${searchParams.get('sort')} ${searchParams.get('order')}`);
          return { campaigns: [aCampaign(), aCampaign({ id: 11 })] };
        },
        { 'X-Total-Count': '2' },
      ),
    );
    const { user } = renderAdmin(TAB);
    const header = async (name: string) =>
      within(within(await table()).getByRole('columnheader', { name })).getByRole('button');
    await user.click(await header('Campaign'));
    await user.click(await header('Scheduled for'));
    await user.click(await header('Created'));
    expect(location.search).toBe(TAB);
    expect(asked.slice(0, 3)).toEqual(['createdAt desc', 'campaignName asc', 'scheduledDate desc']);
  });

  it('are filtered by status, by name once typing pauses, and exported', async () => {
    const asked: string[] = [];
    const noted = (request: Request) => {
      const { searchParams } = new URL(request.url);
      asked.push(`${searchParams.get('status')} ${searchParams.get('search')}`);
    };
    server.use(
      adminCall('get', 'sms/campaigns', (request) => {
        noted(request);
        return { campaigns: [aCampaign({ status: 'sent' })] };
      }),
      http.get(`*${LIST}/export`, ({ request }) => {
        noted(request);
        return HttpResponse.text('id\n12\n', { headers: { 'Content-Type': 'text/csv' } });
      }),
    );
    const { user } = renderAdmin(TAB);
    await table();
    await user.selectOptions(screen.getByLabelText('Status'), 'Sent');
    await waitFor(() => expect(asked).toHaveLength(2));
    await user.type(screen.getByRole('searchbox', { name: 'Find by name' }), '50%');
    await waitFor(() => expect(asked.at(-1)).toBe('sent 50%'));
    expect(location.search).toBe(`${TAB}&status=sent&search=50%25`);
    expect(asked.length).toBeLessThan(5); // not every letter
    await user.click(screen.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
    expect(vi.mocked(saveFile).mock.calls[0]?.[0]).toMatch(/^tombola-campaigns-.*\.csv$/);
    expect(asked.at(-1)).toBe('sent 50%');
  });

  it('say when nothing matches', async () => {
    const { user } = renderAdmin(`${TAB}&search=autumn`);
    const list = within(await part('Campaigns'));
    await user.click(await list.findByRole('button', { name: 'Clear filters' }));
    expect(await list.findByText('No campaigns yet')).toBeInTheDocument();
    expect(list.getByRole('searchbox')).toHaveValue('');
  });

  it('say what holds texts back', async () => {
    stored.status = anSmsStatus({ configured: false });
    renderAdmin(TAB);
    expect(await screen.findByText('Texts are not configured')).toBeInTheDocument();
  });

  it('are fetched again while one is being sent, and not after that', async () => {
    const sending = aCampaign({ status: 'sending', recipientCount: 10 });
    stored.campaigns = [sending];
    renderAdmin(TAB);
    expect(await screen.findByText(/^0 of 10/)).toBeInTheDocument();
    stored.campaigns = [{ ...sending, sentCount: 4 }];
    expect(await screen.findByText(/^4 of 10/, {}, { timeout: 20_000 })).toBeInTheDocument();
    stored.campaigns = [{ ...sending, status: 'sent', sentCount: 10 }];
    expect(await screen.findByText(/^10 of 10/, {}, { timeout: 20_000 })).toBeInTheDocument();
  });

  it('are fetched again when a scheduled time has come', async () => {
    stored.campaigns = [aCampaign({ scheduledDate: '2020-01-01T00:00:00Z' })];
    renderAdmin(TAB);
    expect(await within(await table()).findByText('Pending')).toBeInTheDocument();
    stored.campaigns = [aCampaign({ status: 'sent' })];
    const rows = within(await table());
    expect(await rows.findByText('Sent', {}, { timeout: 20_000 })).toBeInTheDocument();
  });
});
