import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminCall, never } from '../../../testing/console/handlers';
import { figure, part, renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import {
  aCampaign,
  anSmsStatus,
  aTemplate,
  smsFigures,
  smsHandlers,
  storedTexts,
} from '../../../testing/console/smsBuilders';

const SECTION = '?section=sms';
let stored = storedTexts();

beforeEach(() => {
  stored = storedTexts();
  server.use(...smsHandlers(stored));
});

const openTab = () => screen.findByRole('tab', { selected: true });

describe('the section', () => {
  it('is in the menu, with its tabs in the address', async () => {
    const { user } = renderAdmin();
    await user.click(await screen.findByRole('link', { name: 'SMS Campaigns' }));
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('SMS Campaigns');
    expect(location.search).toBe(SECTION);
    expect(await openTab()).toHaveTextContent('Overview');
    await user.click(screen.getByRole('tab', { name: 'Templates' }));
    expect(location.search).toBe('?section=sms&tab=templates');
    expect(await part('Templates')).toBeInTheDocument();
  });

  it('shows the first tab for a name that it does not know', async () => {
    renderAdmin(`${SECTION}&tab=nothing`);
    expect(await openTab()).toHaveTextContent('Overview');
  });

  it("leaves a tab's page and report behind with the tab", async () => {
    const { user } = renderAdmin(`${SECTION}&tab=campaigns&offset=25`);
    await user.click(await screen.findByRole('tab', { name: 'Analytics' }));
    expect(location.search).toBe('?section=sms&tab=analytics');
  });
});

describe('the totals', () => {
  it('are the figures of all campaign texts', async () => {
    renderAdmin(SECTION);
    await waitFor(async () => expect(await figure('Total Sent')).toBe('2,000'));
    expect(await figure('Delivery Rate')).toBe('95.0%');
    expect(await figure('Click Rate')).toBe('25.0%');
    expect(await figure('Conversion Rate')).toBe('6.3%');
  });

  it('keep their places while they are on their way', async () => {
    server.use(http.get('*/api/admin/sms/analytics', never));
    renderAdmin(SECTION);
    expect(await figure('Total Sent')).toBe('');
  });

  it('can be fetched again after a failure', async () => {
    server.use(refusing('/api/admin/sms/analytics', 500, { error: 'Broken' }));
    const { user } = renderAdmin(SECTION);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Broken');
    server.use(...smsHandlers(stored));
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect(await figure('Total Sent')).toBe('2,000'));
  });
});

describe('what is recent', () => {
  it('is the newest three of each', async () => {
    const limits: (string | null)[] = [];
    stored.templates = ['One', 'Two', 'Three', 'Four'].map((name, id) => aTemplate({ id, name }));
    server.use(
      adminCall('get', 'sms/campaigns', (request) => {
        limits.push(new URL(request.url).searchParams.get('limit'));
        return { campaigns: [aCampaign({ id: 7, campaignName: 'Spring', status: 'sent' })] };
      }),
    );
    const { user } = renderAdmin(SECTION);
    const templates = await part('Recent templates');
    expect(await within(templates).findByText('Three')).toBeInTheDocument();
    expect(within(templates).queryByText('Four')).not.toBeInTheDocument();
    const campaigns = await part('Recent campaigns');
    expect(await within(campaigns).findByRole('listitem')).toHaveTextContent(
      'Spring SentJul 1, 2099, 12:00 PM',
    );
    expect(limits).toEqual(['3']);
    expect(within(campaigns).getByRole('link', { name: 'Spring' })).toHaveAttribute(
      'href',
      '/admin?section=sms&tab=campaigns&campaign=7',
    );
    await user.click(within(templates).getByRole('link', { name: 'All templates' }));
    expect(location.search).toBe('?section=sms&tab=templates');
  });

  it('may be nothing', async () => {
    stored.templates = [];
    renderAdmin(SECTION);
    expect(await screen.findByText('No templates yet')).toBeInTheDocument();
    expect(await screen.findByText('No campaigns yet')).toBeInTheDocument();
  });

  it.each([
    ['Recent templates', 'templates'],
    ['Recent campaigns', 'campaigns'],
  ])('shows a loading state, and can be fetched again after a failure: %s', async (name, call) => {
    server.use(http.get(`*/api/admin/sms/${call}`, never));
    const { unmount } = renderAdmin(SECTION);
    expect(within(await part(name)).getByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing(`/api/admin/sms/${call}`, 503, '', { 'Retry-After': '3' }));
    const { user } = renderAdmin(SECTION);
    const alert = await within(await part(name)).findByRole('alert');
    expect(alert).toHaveTextContent('try again in 3 seconds');
    server.use(...smsHandlers(stored));
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    await waitFor(async () =>
      expect(within(await part(name)).queryByRole('alert')).not.toBeInTheDocument(),
    );
  });

  it('follows a campaign that is being sent', async () => {
    stored.campaigns = [aCampaign({ status: 'sending', recipientCount: 100, sentCount: 10 })];
    renderAdmin(SECTION);
    expect(await screen.findByText(/^10 of 100/)).toBeInTheDocument();
    stored.campaigns = [aCampaign({ status: 'sent', recipientCount: 100, sentCount: 100 })];
    const campaigns = await part('Recent campaigns');
    expect(await within(campaigns).findByText('Sent', {}, { timeout: 20_000 })).toBeInTheDocument();
  });
});

describe('what holds texts back', () => {
  const notice = async (title: string | RegExp) =>
    (await screen.findByText(title)).closest<HTMLElement>('.notice');

  it('is not said while nothing does', async () => {
    renderAdmin(SECTION);
    await waitFor(async () => expect(await figure('Total Sent')).toBe('2,000'));
    expect(document.querySelector('.notice')).toBeNull();
  });

  it('may be that there are no credentials', async () => {
    stored.status = anSmsStatus({ configured: false, source: null, waiting: 1 });
    const { user } = renderAdmin(SECTION);
    const unconfigured = (await notice('Texts are not configured'))!;
    expect(unconfigured).toHaveTextContent('nothing is lost');
    expect(await notice('1 text is waiting')).toHaveTextContent('It is sent as soon as possible.');
    const link = within(unconfigured).getByRole('link', { name: 'Open Settings' });
    expect(link).toHaveAttribute('href', '/admin?section=settings');
    server.use(http.get('*/api/admin/*', never));
    await user.click(link);
    expect(location.search).toBe('?section=settings');
  });

  it('may be that they are refused', async () => {
    stored.status = anSmsStatus({ halted: 'credentials_refused', waiting: 1_200 });
    renderAdmin(SECTION);
    expect(await notice('The provider rejects the credentials')).toHaveTextContent('Open Settings');
    expect(await notice('1,200 texts are waiting')).toBeInTheDocument();
  });

  it('may be that the saved ones cannot be opened', async () => {
    const halted = 'credentials_unreadable';
    stored.status = anSmsStatus({ configured: false, source: null, halted, waiting: 3 });
    renderAdmin(SECTION);
    const unreadable = (await notice('The saved Twilio account cannot be opened'))!;
    expect(unreadable).toHaveTextContent('until the credentials are saved again');
    expect(within(unreadable).getByRole('link', { name: 'Open Settings' })).toBeInTheDocument();
    expect(await notice('3 texts are waiting')).toBeInTheDocument();
    expect(screen.queryByText('Texts are not configured')).not.toBeInTheDocument();
  });

  it('may be that the provider did not say', async () => {
    stored.status = anSmsStatus({ unknown: 2 });
    renderAdmin(SECTION);
    expect(await notice('2 texts may or may not have been sent')).toHaveTextContent(
      'They are not sent again before it does.',
    );
  });

  it('may be the time of day, where the site is', async () => {
    stored.status = anSmsStatus({ quietUntil: '2026-11-22T13:00:00Z' });
    renderAdmin(SECTION);
    expect(await notice('Quiet hours until Nov 22, 2026, 8:00 AM EST')).toBeInTheDocument();
  });

  it('may be the hours of the recipients, apart from those that are sent next', async () => {
    stored.status = anSmsStatus({ waiting: 3, putOff: 2, putOffUntil: '2026-11-22T13:00:00Z' });
    renderAdmin(SECTION);
    expect(await notice("2 texts wait for the recipient's hours")).toHaveTextContent(
      'The first may be sent at Nov 22, 2026, 8:00 AM EST.',
    );
    expect(await notice('1 text is waiting')).toBeInTheDocument();
  });

  it.each([
    ['welcomes', "Today's budget of texts is half used", 5_000, 'Welcome texts wait until'],
    [
      'sign_ups',
      "Today's budget of texts is nearly used up",
      8_000,
      'Nobody can sign up or get their page back with a code, and welcome texts wait until',
    ],
    [
      'codes',
      "Today's budget of texts is used up",
      10_000,
      'No codes are sent, not even to winners, and welcome texts wait until',
    ],
  ] as const)('may be the budget of the day: %s', async (overBudget, title, textsToday, effect) => {
    stored.status = anSmsStatus({ overBudget, textsToday });
    renderAdmin(SECTION);
    const used = `${textsToday.toLocaleString('en-US')} texts of 10,000 are used`;
    expect(await notice(title)).toHaveTextContent(used);
    expect(await notice(title)).toHaveTextContent(`${effect} Nov 22, 2026, 7:00 PM EST.`);
    expect(await notice(title)).toHaveTextContent('raise SMS_DAILY_BUDGET');
  });

  it('that could not be asked about can be asked about again', async () => {
    server.use(refusing('/api/admin/sms/status', 500, { error: 'Broken' }));
    const { user } = renderAdmin(SECTION);
    const alert = await screen.findByRole('alert');
    stored.status = anSmsStatus({ unknown: 1 });
    server.use(...smsHandlers(stored));
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await notice('1 text may or may not have been sent')).toBeInTheDocument();
  });
});

describe('the analytics', () => {
  const TAB = `${SECTION}&tab=analytics`;
  const table = () => screen.findByRole('table', { name: /Results of/ });

  it('are counts and rates', async () => {
    renderAdmin(TAB);
    const rows = rowsOf(await table()).map((row) => row.slice(0, 3));
    expect(rows).toEqual([
      ['Sent Accepted by the provider', '2,000', '–'],
      ['Delivered Reached the phone', '1,900', '95.0%'],
      ['Failed Refused, or could not be delivered', '25', '–'],
      ['Clicked Someone opened the link', '500', '25.0%'],
      ['Converted Went on to the raffle', '125', '6.3%'],
    ]);
  });

  it('are shown when every text failed', async () => {
    stored.analytics = smsFigures({ totalSent: 0, delivered: 0, failed: 3 });
    renderAdmin(TAB);
    expect(rowsOf(await table())[2]?.[1]).toBe('3');
  });

  it('may be none', async () => {
    stored.analytics = smsFigures({ totalSent: 0, failed: 0 });
    renderAdmin(TAB);
    expect(await screen.findByText('No campaign texts yet')).toBeInTheDocument();
  });

  it('show a loading state, and can be fetched again after a failure', async () => {
    server.use(http.get('*/api/admin/sms/analytics', never));
    const { unmount } = renderAdmin(TAB);
    expect(await within(await part('Analytics')).findByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing('/api/admin/sms/analytics', 500, { error: 'Broken' }));
    const { user } = renderAdmin(TAB);
    const retry = await within(await part('Analytics')).findByRole('button', { name: 'Try again' });
    server.use(...smsHandlers(stored));
    await user.click(retry);
    expect(await table()).toBeInTheDocument();
  });
});
