import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type {
  CampaignReportView,
  CampaignResultsView,
  CampaignView,
  TextEvidenceView,
} from '../../api/sms';
import { adminCall, never, TOKEN } from '../../../testing/console/handlers';
import { figure, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { watchSavedFiles } from '../../../testing/console/savedFiles';
import { refusing, server } from '../../../testing/server';
import {
  aCampaign,
  anEstimate,
  aReport,
  smsHandlers,
  someResults,
  storedTexts,
} from '../../../testing/console/smsBuilders';

const REPORT = '?section=sms&tab=campaigns&campaign=12';
const CALL = '/api/admin/sms/campaigns/12';

let found: { campaign: CampaignView; report: CampaignReportView };
let results: CampaignResultsView;
beforeEach(() => {
  const stored = storedTexts();
  found = { campaign: aCampaign(), report: aReport() };
  results = someResults();
  stored.campaigns = [found.campaign];
  server.use(
    ...smsHandlers(stored),
    adminCall('get', 'sms/campaigns/12', () => found),
    adminCall('get', 'sms/campaigns/12/results', () => results),
  );
});

const summary = async () => within(await screen.findByRole('region', { name: 'July news' }));

describe("a campaign's report", () => {
  it('opens from the name of the campaign, has an address, and leads back', async () => {
    const { user } = renderAdmin('?section=sms&tab=campaigns');
    await user.click(await screen.findByRole('link', { name: 'July news' }));
    expect(location.search).toBe(REPORT);
    await summary();
    const back = screen.getByRole('link', { name: 'Back to all campaigns' });
    expect(back).toHaveFocus();
    await user.click(back);
    expect(location.search).toBe('?section=sms&tab=campaigns');
    expect(await screen.findByRole('table', { name: /^Campaigns/ })).toBeInTheDocument();
  });

  it('shows the result of every text', async () => {
    found = {
      campaign: aCampaign({
        status: 'sent',
        recipientCount: 1_000,
        startedAt: '2026-11-20T15:00:00Z',
        sentAt: '2026-11-20T15:10:00Z',
        targetAudience: 'custom',
        customPhoneNumberCount: 1_000,
      }),
      report: aReport({
        sent: 950,
        delivered: 900,
        unknown: 2,
        clicked: 300,
        ctaClicked: 30,
        failed: [
          { reason: '21211 Invalid number', count: 20 },
          { reason: '30007 Filtered', count: 3 },
        ],
        skipped: [
          { reason: 'opted_out', count: 15 },
          { reason: 'monthly_cap', count: 9 },
          { reason: 'flagged', count: 1 },
          { reason: 'no_consent', count: 1 },
          { reason: 'country', count: 1 },
          { reason: 'too_late', count: 1 },
          { reason: 'something_new', count: 1 },
        ],
      }),
    };
    renderAdmin(REPORT);
    await summary();
    const figures = ['Recipients', 'Waiting', 'Unknown', 'Delivered', 'Clicked', 'Went on'];
    expect(await Promise.all(figures.map(figure))).toEqual(['1,000', '0', '2', '900', '300', '30']);
    expect((await summary()).getByText('A list of 1,000 numbers')).toBeInTheDocument();
    expect((await summary()).getByText('Nov 20, 2026, 10:10 AM')).toBeInTheDocument();
    expect(
      (await summary()).getByText(/^We don't know whether 2 texts were sent/),
    ).toBeInTheDocument();
    expect(screen.queryByRole('progressbar')).not.toBeInTheDocument();
    expect(rowsOf(screen.getByRole('table', { name: /^Failed/ }))).toEqual([
      ['21211 Invalid number', '20'],
      ['30007 Filtered', '3'],
    ]);
    expect(rowsOf(screen.getByRole('table', { name: /^Skipped/ }))).toEqual([
      ['Opted out by answering STOP', '15'],
      ["Already got this month's texts", '9'],
      ['Flagged', '1'],
      ['Did not agree to texts', '1'],
      ['In a country that gets no texts, or toll-free', '1'],
      ['Could not be sent in time', '1'],
      ['something_new', '1'],
    ]);
    expect(await figure('Failed')).toBe('23');
    expect(await figure('Skipped')).toBe('29');
  });

  it('is a funnel with rates, clicks over time, the text and its cost', async () => {
    found.campaign = aCampaign({ status: 'sent', startedAt: '2026-11-20T15:20:00Z' });
    results = someResults({
      funnel: [
        { step: 'recipients', count: 1_000, rate: null },
        { step: 'sent', count: 950, rate: 95 },
        { step: 'delivered', count: 900, rate: 94.736 },
        { step: 'clicked', count: 300, rate: 31.578 },
        { step: 'shared', count: 40, rate: 4.21 },
        { step: 'referred', count: 12, rate: 1.263 },
        { step: 'bought', count: 3, rate: 0.315 },
      ],
      clicks: [
        { hour: 0, clicked: 250 },
        { hour: 3, clicked: 50 },
      ],
      segments: 2,
      totalSegments: 1_900,
    });
    const { user } = renderAdmin(REPORT);
    const text = within(await screen.findByRole('region', { name: 'Text as it was sent' }));
    expect(await text.findByText(results.text)).toBeInTheDocument();
    expect(
      text.getByText('2 segments per text, in GSM-7. All texts took 1,900 segments.'),
    ).toBeInTheDocument();
    const came = within(screen.getByRole('region', { name: 'What came of it' }));
    expect(came.getByText(/^3 of 950 people to whom it was sent bought entries/)).toBeVisible();
    await user.click(came.getByRole('button', { name: /^Show as table/ }));
    expect(rowsOf(came.getByRole('table'))).toEqual([
      ['Recipients', '1,000', ''],
      ['Sent', '950', '95.0%'],
      ['Delivered', '900', '94.7%'],
      ['Clicked', '300', '31.6%'],
      ['Shared', '40', '4.2%'],
      ['Referred a friend', '12', '1.3%'],
      ['Bought', '3', '0.3%'],
    ]);
    const clicks = within(screen.getByRole('region', { name: 'Clicks over time' }));
    await user.click(clicks.getByRole('button', { name: /^Show as table/ }));
    expect(rowsOf(clicks.getByRole('table'))).toEqual([
      ['From Nov 20, 10:20 AM', '250'],
      ['From Nov 20, 11:20 AM', '0'],
      ['From Nov 20, 12:20 PM', '0'],
      ['From Nov 20, 1:20 PM', '50'],
    ]);
  });

  it('shows the text before it is sent, and no results', async () => {
    renderAdmin(REPORT);
    const text = within(await screen.findByRole('region', { name: 'Text as it would be sent' }));
    expect(await text.findByText('1 segment per text, in GSM-7.')).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'What came of it' })).not.toBeInTheDocument();
  });

  it('says that nobody has clicked yet', async () => {
    found.campaign = aCampaign({ status: 'sent', startedAt: '2026-11-20T15:20:00Z' });
    renderAdmin(REPORT);
    expect(await screen.findByText('No clicks yet')).toBeInTheDocument();
  });

  it('can be used again, with a time of its own', async () => {
    found.campaign = aCampaign({
      status: 'sent',
      startedAt: '2026-11-20T15:20:00Z',
      targetAudience: 'custom',
      customPhoneNumbers: ['+15551234567', '+15551234568'],
      customPhoneNumberCount: 2,
      consentBasis: 'They asked.',
    });
    const sent: unknown[] = [];
    server.use(
      adminCall('post', 'sms/campaigns/estimate', () => anEstimate()),
      adminCall('post', 'sms/campaigns/schedule', async (request) => {
        sent.push(await request.json());
        return aCampaign({ id: 13 });
      }),
    );
    const { user } = renderAdmin(REPORT);
    await user.click(await screen.findByRole('button', { name: 'Use again' }));
    const form = within(await screen.findByRole('region', { name: 'New campaign like July news' }));
    expect(await form.findByLabelText('Campaign name')).toHaveValue('July news (again)');
    expect(form.getByLabelText('Template')).toHaveDisplayValue('Summer');
    expect(form.getByLabelText('Phone numbers')).toHaveValue('+15551234567\n+15551234568');
    expect(form.getByLabelText(/^Date and time/)).toHaveValue('');
    await user.click(form.getByLabelText('Now'));
    await user.click(form.getByRole('button', { name: 'Review campaign' }));
    await user.click(await screen.findByRole('button', { name: 'Send now' }));
    expect(await toast()).toHaveTextContent('Campaign scheduled successfully');
    expect(sent).toEqual([
      {
        templateId: 4,
        campaignName: 'July news (again)',
        startNow: true,
        targetAudience: 'custom',
        customPhoneNumbers: ['+15551234567', '+15551234568'],
        consentBasis: 'They asked.',
        trackingUrlBase: 'https://tombola.example',
      },
    ]);
    await waitFor(() => expect(location.search).toBe('?section=sms&tab=campaigns'));
  });

  it('can be edited while it is pending', async () => {
    const sent: unknown[] = [];
    server.use(
      adminCall('post', 'sms/campaigns/estimate', () => anEstimate()),
      adminCall('put', 'sms/campaigns/12', async (request) => {
        sent.push(await request.json());
        return found.campaign;
      }),
    );
    const { user } = renderAdmin(REPORT);
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const form = within(await screen.findByRole('region', { name: 'Edit July news' }));
    const name = await form.findByLabelText('Campaign name');
    expect(form.getByLabelText(/^Date and time/)).toHaveValue('2099-07-01T12:00');
    await user.clear(name);
    await user.type(name, 'August');
    await user.click(form.getByRole('button', { name: 'Review campaign' }));
    const asking = within(await screen.findByRole('alertdialog', { name: 'Change August?' }));
    await user.click(asking.getByRole('button', { name: 'Save campaign' }));
    expect(await toast()).toHaveTextContent('Campaign updated successfully');
    expect(sent).toMatchObject([
      { campaignName: 'August', scheduledDate: '2099-07-01T16:00:00.000Z', targetAudience: 'all' },
    ]);
    expect(screen.queryByRole('region', { name: 'Edit July news' })).not.toBeInTheDocument();
  });

  it('cannot be edited once it has begun', async () => {
    found.campaign = aCampaign({ status: 'sending', startedAt: '2026-11-20T15:20:00Z' });
    renderAdmin(REPORT);
    expect(await screen.findByRole('button', { name: 'Use again' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument();
  });

  it('says where there was nothing to tell', async () => {
    renderAdmin(REPORT);
    expect(await screen.findByText('No text has failed.')).toBeInTheDocument();
    expect(screen.getByText('Nobody was skipped.')).toBeInTheDocument();
    expect(screen.queryByText(/don't know/)).not.toBeInTheDocument();
  });

  it('follows a campaign that is being sent', async () => {
    found.campaign = aCampaign({ status: 'sending', recipientCount: 10, sentCount: 1 });
    renderAdmin(REPORT);
    expect(await screen.findByRole('progressbar')).toHaveAttribute('value', '1');
    found = {
      campaign: aCampaign({ status: 'sent', recipientCount: 10, sentCount: 10 }),
      report: aReport({ sent: 10 }),
    };
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull(), { timeout: 20_000 });
  });

  it('can be cancelled from while it is pending', async () => {
    server.use(
      adminCall('put', 'sms/campaigns/12/cancel', () => {
        found.campaign = aCampaign({ status: 'cancelled' });
        return found.campaign;
      }),
    );
    const { user } = renderAdmin(REPORT);
    await user.click((await summary()).getByRole('button', { name: 'Cancel campaign' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Cancel July news?' });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel campaign' }));
    expect(await toast()).toHaveTextContent('Campaign cancelled successfully');
    expect(await (await summary()).findByText('Cancelled')).toBeInTheDocument();
    expect((await summary()).queryByRole('button', { name: 'Cancel campaign' })).toBeNull();
  });

  it('shows a loading state, and can be fetched again after a failure', async () => {
    server.use(http.get(`*${CALL}`, never));
    const { unmount } = renderAdmin(REPORT);
    await screen.findByRole('link', { name: 'Back to all campaigns' });
    expect(screen.getByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing(CALL, 500, { error: 'Broken' }));
    const { user } = renderAdmin(REPORT);
    const retry = await screen.findByRole('button', { name: 'Try again' });
    server.use(adminCall('get', 'sms/campaigns/12', () => found));
    await user.click(retry);
    await summary();
  });

  it('says when the campaign no longer exists', async () => {
    server.use(refusing(CALL, 404, { error: 'There is no such campaign' }));
    renderAdmin(REPORT);
    expect(await screen.findByText('There is no such campaign')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to all campaigns' })).toBeInTheDocument();
  });

  it.each(['0', '-1', '1.5', 'x', ''])('is the list for the id %j', async (id) => {
    renderAdmin(`?section=sms&tab=campaigns&campaign=${id}`);
    expect(await screen.findByRole('table', { name: /^Campaigns/ })).toBeInTheDocument();
  });
});

describe('exporting it', () => {
  const button = () => screen.findByRole('button', { name: /^Export/ });

  it("saves the server's file unchanged", async () => {
    const saved = watchSavedFiles();
    const file = 'phoneNumber,status\r\n+15551234567,sent\r\n';
    const tokens: (string | null)[] = [];
    server.use(
      http.get(`*${CALL}/export`, ({ request }) => {
        tokens.push(request.headers.get('Authorization'));
        return HttpResponse.text(file, { headers: { 'Content-Type': 'text/csv' } });
      }),
    );
    const { user } = renderAdmin(REPORT);
    await user.click(await button());
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]?.name).toBe('tombola-campaign-12.csv');
    expect(await saved[0]?.blob.text()).toContain(file);
    expect(tokens).toEqual([`Bearer ${TOKEN}`]);
  });

  it('shows an error when it fails', async () => {
    server.use(refusing(`${CALL}/export`, 503, '', { 'Retry-After': '5' }));
    const { user } = renderAdmin(REPORT);
    await user.click(await button());
    expect(await screen.findByText(/^Export failed/)).toHaveTextContent('try again in 5 seconds');
  });
});

describe('what allowed a text', () => {
  const agreed: TextEvidenceView = {
    wording: 'Text me. Reply STOP to opt out.',
    act: 'form',
    at: '2026-11-19T15:00:00Z',
    ipAddress: '198.51.100.7',
    optOuts: [{ optedOut: true, at: '2026-11-21T15:00:00Z' }],
    monthCount: 1,
    localTime: '2026-11-20T09:01:02-06:00 or 2026-11-20T10:01:02-05:00',
    consentBasis: null,
  };

  /** The campaign has a text to one number. */
  function hasText(evidence: TextEvidenceView) {
    found.campaign = aCampaign({ status: 'sent', startedAt: '2026-11-20T15:00:00Z' });
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/admin/sms/campaigns/12/text', ({ request }) => {
        const number = new URL(request.url).searchParams.get('phoneNumber');
        asked.push(number);
        return number === '(555) 123-4567'
          ? HttpResponse.json({ id: 77, status: 'sent' })
          : HttpResponse.json({ error: 'Not found', code: 'not_found' }, { status: 404 });
      }),
      adminCall('get', 'sms/messages/77/evidence', () => evidence),
    );
    return asked;
  }

  const card = async () =>
    within(await screen.findByRole('region', { name: 'What allowed a text' }));
  const field = async () => (await card()).getByLabelText(/^Phone number/);

  it('is looked up by the number', async () => {
    const asked = hasText(agreed);
    const { user } = renderAdmin(REPORT);
    await user.type(await field(), ' (555) 123-4567{Enter}');
    const part = await card();
    expect(await part.findByText('“Text me. Reply STOP to opt out.”')).toBeInTheDocument();
    for (const words of [
      'With the box on the form',
      '198.51.100.7',
      /^STOP on Nov 21, 2026/,
      '1 campaign text',
      /^Nov 20, 2026, 9:01\sAM or Nov 20, 2026, 10:01\sAM$/,
    ]) {
      expect(part.getByText(words)).toBeInTheDocument();
    }
    expect(asked).toEqual(['(555) 123-4567']);
  });

  it('of a listed number is the basis of the list', async () => {
    hasText({
      ...agreed,
      wording: null,
      act: null,
      at: null,
      ipAddress: null,
      optOuts: [],
      localTime: null,
      consentBasis: 'They signed up at our booth.',
    });
    const { user } = renderAdmin(REPORT);
    await user.type(await field(), '(555) 123-4567{Enter}');
    const part = await card();
    expect(await part.findByText('They signed up at our booth.')).toBeInTheDocument();
    expect(part.getByText('Not sent yet')).toBeInTheDocument();
    expect(part.queryByText('How')).not.toBeInTheDocument();
  });

  it('says when there is no text, and what is wrong with a number', async () => {
    const asked = hasText(agreed);
    const { user } = renderAdmin(REPORT);
    await user.type(await field(), '12{Enter}');
    await waitFor(async () =>
      expect(await field()).toHaveAccessibleDescription(/Please enter a valid phone number/),
    );
    expect(asked).toEqual([]);
    await user.clear(await field());
    await user.type(await field(), '5559999999{Enter}');
    expect(
      await screen.findByText('This campaign sent no text to this number.'),
    ).toBeInTheDocument();
    expect(await field()).toHaveValue('5559999999');
  });

  it('is there once the campaign has started', async () => {
    renderAdmin(REPORT);
    await summary();
    expect(screen.queryByText('What allowed a text')).not.toBeInTheDocument();
  });
});
