import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { adminCall, never, unauthorized } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { saveFile } from '../../lib/saveFile';
import {
  aCampaign,
  anEstimate,
  anSmsStatus,
  aTemplate,
  smsHandlers,
  storedTexts,
} from '../../../testing/console/smsBuilders';

vi.mock('../../lib/saveFile');
vi.setConfig({ testTimeout: 30_000 }); // a form is filled in key by key, on busy machines too

const TAB = '?section=sms&tab=campaigns';
const LIST = '/api/admin/sms/campaigns';
const ESTIMATE = `${LIST}/estimate`;
const SCHEDULE = `${LIST}/schedule`;
const REQUIRED = 'Please fill in all required fields';

let stored = storedTexts();
beforeEach(() => {
  stored = storedTexts();
  server.use(...smsHandlers(stored));
});

/** Resolved when a test says so. */
function held() {
  let release = () => {};
  const answered = new Promise<void>((resolve) => (release = resolve));
  return { answered, release };
}

const part = (name: string) => screen.findByRole('region', { name });
const table = () => screen.findByRole('table', { name: /^Campaigns/ });

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

  it('wait in their place, and are asked for again', async () => {
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

  it('are filtered by status and name, asked for once one pauses, and exported', async () => {
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

  it('that match nothing say so', async () => {
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

  it('are asked about while one is being sent, and no longer when it was', async () => {
    const sending = aCampaign({ status: 'sending', recipientCount: 10 });
    stored.campaigns = [sending];
    renderAdmin(TAB);
    expect(await screen.findByText(/^0 of 10/)).toBeInTheDocument();
    stored.campaigns = [{ ...sending, sentCount: 4 }];
    expect(await screen.findByText(/^4 of 10/, {}, { timeout: 20_000 })).toBeInTheDocument();
    stored.campaigns = [{ ...sending, status: 'sent', sentCount: 10 }];
    expect(await screen.findByText(/^10 of 10/, {}, { timeout: 20_000 })).toBeInTheDocument();
  });

  it('are asked about when the time of one has come', async () => {
    stored.campaigns = [aCampaign({ scheduledDate: '2020-01-01T00:00:00Z' })];
    renderAdmin(TAB);
    expect(await within(await table()).findByText('Pending')).toBeInTheDocument();
    stored.campaigns = [aCampaign({ status: 'sent' })];
    const rows = within(await table());
    expect(await rows.findByText('Sent', {}, { timeout: 20_000 })).toBeInTheDocument();
  });
});

interface Sent {
  key: string | null;
  body: Record<string, unknown>;
}

describe('scheduling', () => {
  let estimated: Record<string, unknown>[] = [];
  let scheduled: Sent[] = [];
  beforeEach(() => {
    estimated = [];
    scheduled = [];
  });

  const estimating = (changes = {}) =>
    adminCall('post', 'sms/campaigns/estimate', async (request) => {
      estimated.push((await request.json()) as Record<string, unknown>);
      return anEstimate(changes);
    });
  const scheduling = (answered = Promise.resolve()) =>
    adminCall('post', 'sms/campaigns/schedule', async (request) => {
      const body = (await request.json()) as Record<string, unknown>;
      scheduled.push({ key: request.headers.get('Idempotency-Key'), body });
      await answered;
      stored.campaigns = [aCampaign(body)];
      return stored.campaigns[0]!;
    });

  async function open() {
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Schedule Campaign' }));
    const card = within(await part('New campaign'));
    await card.findByLabelText('Campaign name');
    return { user, card };
  }
  type Opened = Awaited<ReturnType<typeof open>>;

  const TIME = 'Date and time (America/New_York)';
  const setTime = ({ card }: Opened, value: string) =>
    fireEvent.change(card.getByLabelText(TIME), { target: { value } });
  const review = ({ user, card }: Opened) =>
    user.click(card.getByRole('button', { name: 'Review campaign' }));
  const dialog = () => screen.findByRole('alertdialog', { name: 'Schedule July?' });
  const confirmButton = async () =>
    within(await dialog()).getByRole('button', { name: /^Schedul/ });

  /** Everything that has to be filled in. */
  async function filled() {
    const opened = await open();
    const { user, card } = opened;
    await user.type(card.getByLabelText('Campaign name'), 'July');
    await user.selectOptions(card.getByLabelText('Template'), 'Summer');
    setTime(opened, '2099-07-01T12:00');
    return opened;
  }

  const body = {
    templateId: 4,
    campaignName: 'July',
    scheduledDate: '2099-07-01T16:00:00.000Z',
    targetAudience: 'all',
  };

  it('is counted, confirmed, done once, and listed', async () => {
    const { answered, release } = held();
    server.use(estimating(), scheduling(answered));
    const opened = await filled();
    await review(opened);
    const asking = await dialog();
    expect(asking).toHaveTextContent('Wed, Jul 1, 2099, 12:00 PM EDT');
    expect(asking).toHaveTextContent('Recipients1,204');
    expect(asking).toHaveTextContent('Segments per text1');
    expect(asking).toHaveTextContent('Total segments1,200');
    expect(asking).toHaveTextContent('4 recipients had this month’s texts already and are skipped');
    expect(asking).toHaveTextContent(anEstimate().sample);
    expect(asking).toHaveTextContent('As one recipient gets it, in GSM-7.');
    expect(asking).not.toHaveTextContent('in the past');
    await opened.user.dblClick(await confirmButton());
    expect(await confirmButton()).toHaveTextContent('Scheduling...');
    await opened.user.click(within(asking).getByRole('button', { name: 'Cancel' }));
    expect(asking).toBeInTheDocument();
    release();
    expect(await toast()).toHaveTextContent('Campaign scheduled successfully');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'New campaign' })).not.toBeInTheDocument();
    expect(await table()).toHaveTextContent('July');
    expect(estimated).toEqual([body]);
    expect(scheduled).toEqual([
      { key: expect.stringMatching(/^[\x21-\x7e]{12,255}$/) as string, body },
    ]);
  });

  it('previews the chosen template', async () => {
    const { user, card } = await open();
    expect(card.queryByRole('group', { name: 'Preview' })).not.toBeInTheDocument();
    await user.selectOptions(card.getByLabelText('Template'), 'Summer');
    expect(card.getByRole('group', { name: 'Preview' })).toHaveTextContent(
      `Your garden waits: ${location.origin}/planter/garden-preview234567`,
    );
  });

  it('offers active templates only', async () => {
    stored.templates = [aTemplate(), aTemplate({ id: 5, name: 'Old', isActive: false })];
    const { card } = await open();
    const names = within(card.getByLabelText('Template')).getAllByRole('option');
    expect(names.map(({ textContent }) => textContent)).toEqual(['Choose a template', 'Summer']);
  });

  it('leads to the templates when none is active', async () => {
    stored.templates = [aTemplate({ isActive: false })];
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Schedule Campaign' }));
    expect(await screen.findByText('No active template')).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Go to Templates' }));
    expect(location.search).toBe('?section=sms&tab=templates');
  });

  it('names what is missing', async () => {
    const opened = await open();
    await review(opened);
    expect(await toast()).toHaveTextContent(REQUIRED);
    const { card } = opened;
    await waitFor(() => expect(card.getByLabelText('Campaign name')).toHaveFocus());
    for (const label of ['Campaign name', 'Template', TIME]) {
      expect(card.getByLabelText(label)).toHaveAccessibleDescription(
        expect.stringContaining(REQUIRED),
      );
    }
    await opened.user.click(card.getByLabelText('One landing page'));
    await review(opened);
    await waitFor(() =>
      expect(card.getByLabelText('Landing page')).toHaveAccessibleDescription(REQUIRED),
    );
    await opened.user.click(card.getByLabelText('A list of numbers'));
    await review(opened);
    await waitFor(() =>
      expect(card.getByLabelText('Phone numbers')).toHaveAccessibleDescription(
        expect.stringContaining(REQUIRED),
      ),
    );
    expect(estimated).toEqual([]);
  });

  it('is for those of one landing page', async () => {
    server.use(estimating({ recipients: 0, overCap: 0 }));
    const opened = await filled();
    await opened.user.click(opened.card.getByLabelText('One landing page'));
    await opened.user.selectOptions(opened.card.getByLabelText('Landing page'), 'kitchen-garden');
    await review(opened);
    expect(await dialog()).toHaveTextContent('Right now, nobody would get it.');
    expect(await dialog()).not.toHaveTextContent('skipped');
    expect(estimated).toEqual([
      { ...body, targetAudience: 'landing_page', landingPageFilter: 'kitchen-garden' },
    ]);
  });

  it('is for a list, whose numbers are counted and whose repetitions are named', async () => {
    server.use(estimating({ recipients: 2, overCap: 1 }));
    const opened = await filled();
    const { user, card } = opened;
    await user.click(card.getByLabelText('A list of numbers'));
    expect(card.getByText('0 numbers')).toBeInTheDocument();
    await user.click(card.getByLabelText('Phone numbers'));
    await user.paste('(555) 123-4567, 5551234567\n+1234567890');
    expect(
      await card.findByText('2 numbers. Listed more than once, and texted once: (555) 123-4567'),
    ).toBeInTheDocument();
    await user.type(card.getByLabelText(/^Link base URL/), 'https://t.example');
    await review(opened);
    expect(await dialog()).toHaveTextContent('1 recipient had this month’s texts already and is');
    expect(estimated).toEqual([
      {
        ...body,
        targetAudience: 'custom',
        customPhoneNumbers: ['(555) 123-4567', '5551234567', '+1234567890'],
        trackingUrlBase: 'https://t.example',
      },
    ]);
  });

  it('shows every number that is none', async () => {
    const messages = ['"12345" is not a phone number', '"abc" is not a phone number'];
    server.use(
      refusing(ESTIMATE, 400, {
        error: messages[0],
        code: 'invalid',
        fields: { customPhoneNumbers: messages },
      }),
    );
    const opened = await filled();
    await opened.user.click(opened.card.getByLabelText('A list of numbers'));
    await opened.user.type(opened.card.getByLabelText('Phone numbers'), '12345,abc');
    await review(opened);
    expect(await toast()).toHaveTextContent('Failed to schedule campaign');
    const list = opened.card.getByLabelText('Phone numbers');
    await waitFor(() => expect(list).toHaveAccessibleDescription(/"12345"[^]*"abc"/));
    expect(list).toHaveFocus();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('refuses an address of links that is none', async () => {
    const opened = await filled();
    const base = opened.card.getByLabelText(/^Link base URL/);
    await opened.user.type(base, 'ftp://t.example');
    await review(opened);
    await waitFor(() => expect(base).toHaveAccessibleDescription(/begins with https/));
    expect(estimated).toEqual([]);
  });

  it('that could not be counted says so, and can be tried again', async () => {
    server.use(refusing(ESTIMATE, 404, { error: 'No such template', code: 'unknown_template' }));
    const opened = await filled();
    await review(opened);
    expect(await opened.card.findByText('No such template')).toHaveAttribute('role', 'alert');
    server.use(estimating());
    await review(opened);
    expect(await dialog()).toBeInTheDocument();
    await waitFor(() => expect(opened.card.queryByText('No such template')).toBeNull());
  });

  it('can be reconsidered, and keeps what was typed', async () => {
    server.use(estimating());
    const opened = await filled();
    await review(opened);
    await opened.user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(opened.card.getByLabelText('Campaign name')).toHaveValue('July');
    expect(scheduled).toEqual([]);
  });

  it('has one key for what was filled in, and another for something else', async () => {
    const keys: (string | null)[] = [];
    server.use(
      estimating(),
      http.post(`*${SCHEDULE}`, ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return HttpResponse.error();
      }),
    );
    const opened = await filled();
    await review(opened);
    await opened.user.click(await confirmButton());
    expect(await toast()).toHaveTextContent('Failed to schedule campaign');
    await waitFor(async () =>
      expect(within(await dialog()).getByRole('alert')).toHaveTextContent(
        'It is safe to try again: the campaign is scheduled only once.',
      ),
    );
    await opened.user.click(await confirmButton());
    await waitFor(() => expect(keys).toHaveLength(2));
    await waitFor(async () => expect(await confirmButton()).toHaveTextContent('Schedule Campaign'));
    await opened.user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
    await review(opened);
    server.use(scheduling());
    setTime(opened, '2099-07-02T12:00'); // behind the dialog: what was asked about is what is sent
    await opened.user.click(await confirmButton());
    await waitFor(() => expect(scheduled).toHaveLength(1));
    expect(new Set([...keys, scheduled[0]?.key]).size).toBe(1);
    expect(scheduled[0]?.body).toEqual(body);

    const other = await (async () => {
      await opened.user.click(await screen.findByRole('button', { name: 'Schedule Campaign' }));
      const card = within(await part('New campaign'));
      return { user: opened.user, card };
    })();
    await other.user.type(await other.card.findByLabelText('Campaign name'), 'July');
    await other.user.selectOptions(other.card.getByLabelText('Template'), 'Summer');
    setTime(other, '2099-07-01T12:00');
    await review(other);
    await other.user.click(await confirmButton());
    await waitFor(() => expect(scheduled).toHaveLength(2));
    expect(scheduled[1]?.key).not.toBe(scheduled[0]?.key);
  });

  it('asks for the list again when the answer was lost', async () => {
    server.use(
      estimating(),
      http.post(`*${SCHEDULE}`, () => {
        stored.campaigns = [aCampaign({ campaignName: 'July' })];
        return HttpResponse.error();
      }),
    );
    const opened = await filled();
    await review(opened);
    await opened.user.click(await confirmButton());
    expect(await table()).toHaveTextContent('July');
  });

  it('that the server refuses goes back to the input', async () => {
    const error = 'Choose a time within a year';
    server.use(
      estimating(),
      refusing(SCHEDULE, 400, { error, code: 'invalid', fields: { scheduledDate: [error] } }),
    );
    const opened = await filled();
    await review(opened);
    await opened.user.click(await confirmButton());
    await waitFor(() =>
      expect(opened.card.getByLabelText(TIME)).toHaveAccessibleDescription(error),
    );
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('ends at the sign-in screen where the session does', async () => {
    server.use(http.post(`*${ESTIMATE}`, unauthorized));
    const opened = await filled();
    await review(opened);
    expect(await screen.findByText(/Your session has ended/)).toBeInTheDocument();
  });

  describe('at a time where the site is', () => {
    it('is said in words', async () => {
      const opened = await open();
      setTime(opened, '2099-11-21T15:04');
      expect(await opened.card.findByText(/^Sat, Nov 21, 2099, 3:04 PM EST/)).toBeInTheDocument();
      expect(screen.queryByText(/in the past/)).not.toBeInTheDocument();
    });

    it('warns of the past', async () => {
      server.use(estimating());
      const opened = await filled();
      setTime(opened, '2020-01-01T00:00');
      const words = 'That is in the past: it will be sent now.';
      expect(await opened.card.findByText(words)).toBeInTheDocument();
      await review(opened);
      expect(await dialog()).toHaveTextContent(words);
    });

    it('refuses a time that the clocks skip', async () => {
      const opened = await filled();
      setTime(opened, '2099-03-08T02:30');
      await review(opened);
      await waitFor(() =>
        expect(opened.card.getByLabelText(TIME)).toHaveAccessibleDescription(/skip this time/),
      );
      expect(estimated).toEqual([]);
    });

    it('asks which, of a time that the clocks show twice', async () => {
      server.use(estimating());
      const opened = await filled();
      setTime(opened, '2099-11-01T01:30');
      const which = await opened.card.findByLabelText('Which one?');
      expect(within(which).getAllByRole('option')).toHaveLength(2);
      expect(opened.card.getByText(/^Sun, Nov 1, 2099, 1:30 AM EDT/)).toBeInTheDocument();
      await opened.user.selectOptions(which, 'The second (EST)');
      expect(opened.card.getByText(/^Sun, Nov 1, 2099, 1:30 AM EST/)).toBeInTheDocument();
      await review(opened);
      await dialog();
      expect(estimated).toMatchObject([{ scheduledDate: '2099-11-01T06:30:00.000Z' }]);
    });
  });
});

describe('cancelling', () => {
  const CANCEL = `${LIST}/12/cancel`;
  const dialog = () => screen.findByRole('alertdialog', { name: 'Cancel July news?' });

  async function open() {
    stored.campaigns = [aCampaign()];
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Cancel July news' }));
    const confirm = within(await dialog()).getByRole('button', { name: /^Cancel/ });
    return { user, confirm };
  }

  it('is asked about, and done once', async () => {
    let calls = 0;
    const { answered, release } = held();
    server.use(
      adminCall('put', 'sms/campaigns/12/cancel', async () => {
        calls += 1;
        await answered;
        stored.campaigns = [aCampaign({ status: 'cancelled' })];
        return stored.campaigns[0]!;
      }),
    );
    const { user, confirm } = await open();
    expect(await dialog()).toHaveTextContent('for Jul 1, 2099, 12:00 PM. Nobody gets it then');
    await user.dblClick(confirm);
    expect(confirm).toHaveTextContent('Cancelling...');
    release();
    expect(await toast()).toHaveTextContent('Campaign cancelled successfully');
    expect(await within(await table()).findByText('Cancelled')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Cancel/ })).not.toBeInTheDocument();
    expect(calls).toBe(1);
  });

  it('can be left', async () => {
    const { user } = await open();
    await user.click(within(await dialog()).getByRole('button', { name: 'Keep it' }));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Cancel July news' })).toHaveFocus();
  });

  it('that comes too late says so, and shows what it is now', async () => {
    const error = 'Only a pending campaign can be cancelled';
    server.use(
      http.put(`*${CANCEL}`, () => {
        stored.campaigns = [aCampaign({ status: 'sent', recipientCount: 3, sentCount: 3 })];
        return HttpResponse.json({ error, code: 'not_pending' }, { status: 409 });
      }),
    );
    const { user, confirm } = await open();
    await user.click(confirm);
    expect(await toast()).toHaveTextContent(`Failed to cancel campaign${error}`);
    expect(within(await dialog()).getByRole('alert')).toHaveTextContent(error);
    expect(await within(await table()).findByText('Sent')).toBeInTheDocument();
  });
});
