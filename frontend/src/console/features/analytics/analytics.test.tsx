import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { aDashboard, aFunnel, someTrends } from '../../../testing/console/builders';
import { adminCall, never } from '../../../testing/console/handlers';
import { figure, renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { REFRESH_MS } from '../../lib/polled';

const dashboardIs = (changes: Parameters<typeof aDashboard>[0]) =>
  adminCall('get', 'analytics/dashboard', () => aDashboard(changes));

/** Answers a call once for the check of the session, then differently. */
function dashboardThen(...answers: (() => HttpResponse<string>)[]) {
  let asked = 0;
  return http.get('*/api/admin/analytics/dashboard', () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return answer?.();
  });
}

const ok = (changes = {}) => HttpResponse.text(JSON.stringify(aDashboard(changes)));

const table = (name: string | RegExp) => screen.findByRole('table', { name });

describe('the summary', () => {
  it('has the four figures', async () => {
    renderAdmin();
    expect(await figure('Total Users')).toBe('1,284');
    expect(await figure('Total Referrals')).toBe('392');
    expect(await figure('Page Views')).toBe('8,641');
    expect(await figure('Conversion Rate')).toBe('14.86%');
    expect(screen.getByText('users who register after viewing the page')).toBeInTheDocument();
  });

  it('has them with nothing there too', async () => {
    server.use(
      dashboardIs({ totalUsers: 0, totalReferrals: 0, totalPageViews: 0, conversionRate: 0 }),
    );
    renderAdmin();
    expect(await figure('Total Users')).toBe('0');
    expect(await figure('Conversion Rate')).toBe('0.00%');
  });
});

describe('refreshing', () => {
  afterEach(() => vi.useRealTimers());

  async function renderOnAClock() {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    });
    const view = renderAdmin();
    expect(await figure('Total Users')).toBe('1');
    return view;
  }

  const visibilityChange = () => new Event('visibilitychange', { bubbles: true });

  const counting = () => {
    let users = 0;
    return dashboardThen(() => ok({ totalUsers: (users += 1) }));
  };

  it('happens every 30 seconds, and says how old the figures are', async () => {
    server.use(counting());
    await renderOnAClock();
    await act(() => vi.advanceTimersByTimeAsync(12_000));
    expect(screen.getByText(/^Updated 1[23] s ago/)).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(REFRESH_MS - 12_000));
    await waitFor(async () => expect(await figure('Total Users')).toBe('2'));
    expect(screen.getByText(/^Updated [01] s ago/)).toBeInTheDocument();
  });

  it('keeps the old figures on screen meanwhile', async () => {
    server.use(
      dashboardThen(
        () => ok({ totalUsers: 1 }),
        () => never() as never,
      ),
    );
    const { user } = await renderOnAClock();
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await figure('Total Users')).toBe('1');
  });

  it('keeps them when it fails, says so, and recovers', async () => {
    server.use(
      dashboardThen(
        () => ok({ totalUsers: 1 }),
        () => HttpResponse.text('{}', { status: 503, headers: { 'Retry-After': '5' } }),
        () => ok({ totalUsers: 3 }),
      ),
    );
    const { user } = await renderOnAClock();
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(
      await screen.findByText(/Refreshing failed.*try again in 5 seconds/),
    ).toBeInTheDocument();
    expect(await figure('Total Users')).toBe('1');
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(async () => expect(await figure('Total Users')).toBe('3'));
    expect(screen.queryByText(/Refreshing failed/)).not.toBeInTheDocument();
  });

  it('can be paused', async () => {
    server.use(counting());
    const { user } = await renderOnAClock();
    await user.click(screen.getByRole('button', { name: /^Pause/ }));
    await act(() => vi.advanceTimersByTimeAsync(3 * REFRESH_MS));
    expect(await figure('Total Users')).toBe('1');
    expect(screen.getByText(/ago, paused$/)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: /^Resume/ }));
    await act(() => vi.advanceTimersByTimeAsync(REFRESH_MS));
    await waitFor(async () => expect(await figure('Total Users')).toBe('2'));
  });

  it('waits while the tab is hidden, and comes at once when it is seen again', async () => {
    server.use(counting());
    await renderOnAClock();
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const change = () => act(() => void document.dispatchEvent(visibilityChange()));
    change();
    await act(() => vi.advanceTimersByTimeAsync(3 * REFRESH_MS));
    expect(await figure('Total Users')).toBe('1');
    seen.mockReturnValue('visible');
    change();
    await waitFor(async () => expect(await figure('Total Users')).toBe('2'));
  });
});

describe('refreshing by itself', () => {
  it.each([
    ['conversion', 'analytics/funnel', () => ({ funnel: aFunnel() })],
    ['funnel', 'analytics/trends', () => someTrends()],
    ['security', 'flagged-users', () => ({ flaggedUsers: [] })],
    ['pricing', 'entry-packages', () => ({ packages: [] })],
  ])('asks again for what the tab %s shows', async (tab, path, answer) => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    });
    onTestFinished(() => void vi.useRealTimers());
    let asked = 0;
    server.use(
      http.get('*/api/entry-packages', () => HttpResponse.json({ packages: [] })),
      adminCall('get', path, () => {
        asked += 1;
        return answer();
      }),
    );
    renderAdmin(`?section=analytics&tab=${tab}`);
    await waitFor(() => expect(asked).toBe(1));
    await act(() => vi.advanceTimersByTimeAsync(REFRESH_MS + 1_000));
    await waitFor(() => expect(asked).toBe(2));
  });
});

describe('Pages', () => {
  it('lists the four pages with their rates', async () => {
    renderAdmin();
    expect(rowsOf(await table(/each landing page/))).toEqual([
      [expect.stringContaining('Garden Bag Essentials'), '321', '98', '2,160', '14.9%'],
      [expect.stringContaining('Fresh Sips Mixology Kit'), '321', '98', '2,160', '14.9%'],
      [expect.stringContaining('Kitchen Garden Essentials'), '321', '98', '2,160', '14.9%'],
      [expect.stringContaining('Sustainable Living Starter Kit'), '0', '0', '0', 'N/A'],
    ]);
    const link = screen.getByRole('link', { name: /Fresh Sips Mixology Kit/ });
    expect(link).toHaveAttribute('href', '/fresh-sips');
    expect(link).toHaveAttribute('target', '_blank');
  });

  it('sorts the pages by their headers, and explains what they count', async () => {
    const landingPageStats = aDashboard().landingPageStats.map((row, index) => ({
      ...row,
      users: index === 1 ? 500 : row.users,
    }));
    server.use(dashboardIs({ landingPageStats }));
    const { user } = renderAdmin();
    const users = within(await table(/each landing page/)).getByRole('button', { name: 'Users' });
    expect(users).toHaveAccessibleDescription('People who entered this raffle, however they came.');
    await user.click(users);
    expect(rowsOf(await table(/each landing page/))[0]?.[1]).toBe('500');
    expect(location.search).toBe('?sort=users');
  });

  it('keeps the order of the pages out of other tabs, but not the dates', async () => {
    const { user } = renderAdmin('?sort=users&startDate=2026-11-01');
    await table(/each landing page/);
    screen.getByRole('tab', { name: 'Funnel' }).focus();
    await user.keyboard('{Enter}');
    expect(location.search).toBe('?section=analytics&tab=funnel&startDate=2026-11-01');
  });

  it('has a test link to each page behind the links of texts', async () => {
    renderAdmin();
    const card = await screen.findByRole('region', { name: 'Product showcase test links' });
    const links = within(card).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/planter/garden-preview2345',
      '/planter/fresh-preview2345',
      '/planter/kitchen-preview2345',
      '/planter/sustainable-preview2345',
    ]);
    for (const link of links) expect(link).toHaveAttribute('target', '_blank');
  });

  it('has sample links with a code that works', async () => {
    renderAdmin();
    const link = await screen.findByRole('link', { name: /^\/kitchen-garden\/ref\/TOPREF10/ });
    expect(link).toHaveAttribute('href', '/kitchen-garden/ref/TOPREF10');
    expect(screen.getAllByRole('link', { name: /\/ref\// })).toHaveLength(4);
  });

  it('says how the sample links come about when there is no code', async () => {
    server.use(dashboardIs({ topReferrers: [], referralFunnel: [] }));
    renderAdmin();
    expect(await screen.findByText('No referral code yet')).toBeInTheDocument();
  });

  it('draws views and sign-ups, and shows the same as a table', async () => {
    const { user } = renderAdmin();
    const chart = await screen.findByRole('figure', { name: 'Page views' });
    expect(chart).toHaveAccessibleDescription('1,800 views, the most for Sustainable Living.');
    expect(await screen.findByRole('figure', { name: 'Sign-ups' })).toBeInTheDocument();
    await user.click(within(chart).getByRole('button', { name: /^Show as table/ }));
    expect(rowsOf(within(chart).getByRole('table'))).toEqual([
      ['Thu, Nov 19, 2026', '0', '100', '200', '300'],
      ['Fri, Nov 20, 2026', '0', '120', '240', '360'],
      ['Sat, Nov 21, 2026', '0', '80', '160', '240'],
    ]);
  });

  it.each([
    ['of one day', ['2026-11-21T05:00:00Z', '2026-11-21T06:00:00Z'], '12 AM'],
    ['of several', ['2026-11-21T04:00:00Z', '2026-11-21T05:00:00Z'], 'Nov 21, 12 AM'],
  ])('names the hours %s in the zone of the site', async (_, buckets, label) => {
    const raffles = someTrends().raffles.map((raffle) => ({
      ...raffle,
      views: [1, 2],
      signUps: [0, 1],
    }));
    server.use(
      adminCall('get', 'analytics/trends', () => someTrends({ unit: 'hour', buckets, raffles })),
    );
    renderAdmin();
    const chart = await screen.findByRole('figure', { name: 'Page views' });
    const axis = [...chart.querySelectorAll('text')].map(({ textContent }) => textContent);
    expect(axis).toContain(label);
  });

  it('lets the keyboard look at one day', async () => {
    renderAdmin();
    const scrubber = await screen.findByRole('slider', { name: /^Page views/ });
    expect(scrubber).toHaveAttribute(
      'aria-valuetext',
      'Sat, Nov 21, 2026: Garden Bag 0, Fresh Sips 80, Kitchen Garden 160, Sustainable Living 240',
    );
    act(() => scrubber.focus());
    const chart = await screen.findByRole('figure', { name: 'Page views' });
    expect(within(chart).getByText('Sat, Nov 21, 2026')).toBeInTheDocument();
  });

  it('asks for the days that were chosen, and keeps them in the address', async () => {
    const asked: string[] = [];
    server.use(
      adminCall('get', 'analytics/trends', (request) => {
        asked.push(new URL(request.url).search);
        return someTrends();
      }),
    );
    const { user } = renderAdmin('?startDate=2026-11-01');
    await screen.findByRole('figure', { name: 'Page views' });
    expect(screen.getByLabelText('Start date')).toHaveValue('2026-11-01');
    await user.type(screen.getByLabelText('End date'), '2026-11-20');
    await waitFor(() => expect(asked.at(-1)).toBe('?startDate=2026-11-01&endDate=2026-11-20'));
    expect(location.search).toContain('endDate=2026-11-20');
    await user.click(screen.getByRole('button', { name: '30 days' }));
    await waitFor(() => expect(location.search).toBe(''));
    expect(screen.getByRole('button', { name: '30 days' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('puts the server’s word about a date at its input', async () => {
    const fields = { endDate: ['The end must not be before the start'] };
    const body = { error: 'Please check the dates', code: 'validation', fields };
    server.use(refusing('/api/admin/analytics/trends', 400, body));
    renderAdmin('?startDate=2026-11-20&endDate=2026-11-01');
    await waitFor(() =>
      expect(screen.getByLabelText('End date')).toHaveAccessibleDescription(
        'The end must not be before the start',
      ),
    );
    expect(screen.getByLabelText('End date')).toHaveAttribute('aria-invalid', 'true');
  });

  it('says when nothing happened', async () => {
    const raffles = someTrends().raffles.map((raffle) => ({
      ...raffle,
      views: [0, 0, 0],
      signUps: [0, 0, 0],
    }));
    server.use(adminCall('get', 'analytics/trends', () => someTrends({ raffles })));
    renderAdmin();
    expect(await screen.findByText('No views or sign-ups on these days')).toBeInTheDocument();
  });

  it('says when the chart cannot be had, and tries again', async () => {
    let broken = true;
    server.use(
      http.get('*/api/admin/analytics/trends', () =>
        broken ? HttpResponse.json({}, { status: 500 }) : HttpResponse.json(someTrends()),
      ),
    );
    const { user } = renderAdmin();
    await screen.findByText(/Something went wrong on our side/);
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('figure', { name: 'Page views' })).toBeInTheDocument();
  });

  it('keeps its place while the chart is on its way', async () => {
    server.use(http.get('*/api/admin/analytics/trends', never));
    renderAdmin();
    const card = await screen.findByRole('region', { name: 'Views and sign-ups over time' });
    expect(within(card).getByRole('status')).toHaveTextContent('Loading...');
  });
});

describe('Conversion', () => {
  const conversion = '?section=analytics&tab=conversion';

  it('has the sessions, their time and the number of steps', async () => {
    renderAdmin(conversion);
    expect(await figure('Total Sessions')).toBe('6,123');
    expect(await figure('Avg Time Spent')).toBe('48s');
    expect(await figure('Conversion Steps')).toBe('4');
  });

  it('analyses the steps in the order in which people take them', async () => {
    renderAdmin(conversion);
    expect(rowsOf(await table(/percent continuing/))).toEqual([
      ['Page View', '6,123', '3,011', '50.8%'],
      ['Form Start', '3,112', '1,828', '41.3%'],
      ['Sign Up', '1,284', '892', '30.5%'],
      ['Social Share', '0', '0', '0.0%'],
    ]);
  });

  it('sorts the steps by their headers, and back into their order', async () => {
    const { user } = renderAdmin(conversion);
    const press = async (name: string) =>
      user.click(within(await table(/percent continuing/)).getByRole('button', { name }));
    const steps = async () => rowsOf(await table(/percent continuing/)).map(([name]) => name);
    await press('Continue');
    await press('Continue');
    expect(await steps()).toEqual(['Social Share', 'Sign Up', 'Form Start', 'Page View']);
    await press('Step');
    expect(await steps()).toEqual(['Page View', 'Form Start', 'Sign Up', 'Social Share']);
    expect(location.search).toBe(conversion);
  });

  it('draws the funnel, and shows the same as a table', async () => {
    const { user } = renderAdmin(conversion);
    const chart = await screen.findByRole('figure', { name: 'Sessions at each step' });
    expect(chart).toHaveAccessibleDescription(
      'More sessions end at Page View than anywhere else: 3,011.',
    );
    await user.click(within(chart).getByRole('button', { name: /^Show as table/ }));
    expect(rowsOf(within(chart).getByRole('table'))[2]).toEqual([
      'Sign Up',
      '1,284',
      '21.0%',
      '892',
    ]);
  });

  it('asks for what the filters say', async () => {
    const asked: string[] = [];
    server.use(
      adminCall('get', 'analytics/funnel', (request) => {
        asked.push(new URL(request.url).search);
        return { funnel: aFunnel() };
      }),
    );
    const { user } = renderAdmin(conversion);
    await figure('Total Sessions');
    expect(asked).toEqual(['']);
    const pages = screen.getByLabelText('Landing page');
    expect(within(pages).getAllByRole('option')).toHaveLength(5);
    await user.selectOptions(pages, 'fresh-sips');
    await waitFor(() => expect(asked.at(-1)).toBe('?landingPage=fresh-sips'));
    expect(location.search).toContain('landingPage=fresh-sips');
  });

  it('puts the server’s words at the filters, and no old figures under them', async () => {
    const fields = { startDate: ['Please enter a date'], landingPage: ['Unknown landing page'] };
    const body = { error: 'Please check the filters', code: 'validation', fields };
    server.use(refusing('/api/admin/analytics/funnel', 400, body));
    renderAdmin(`${conversion}&startDate=2026-02-31&landingPage=roses`);
    expect(await screen.findByText('Please enter a date')).toBeInTheDocument();
    expect(screen.getByText('Unknown landing page')).toBeInTheDocument();
    expect(screen.queryByText('Total Sessions')).not.toBeInTheDocument();
  });

  it('says when no session took a step', async () => {
    const nothing = aFunnel({ totalSessions: 0, avgTimeSpent: 0, stepBreakdown: {} });
    server.use(adminCall('get', 'analytics/funnel', { funnel: nothing }));
    renderAdmin(conversion);
    expect(await screen.findByText('No steps on these days')).toBeInTheDocument();
    expect(await figure('Conversion Steps')).toBe('0');
  });
});

describe('Funnel', () => {
  const funnel = '?section=analytics&tab=funnel';

  it('lists the first ten codes', async () => {
    renderAdmin(funnel);
    const rows = rowsOf(await table('Results of each referral code'));
    expect(rows).toHaveLength(10);
    expect(rows[0]).toEqual(['FUNNEL10', '420', '96', '90', '30', '0']);
  });

  it('has the other codes on further pages, and finds one of them', async () => {
    const { user } = renderAdmin(funnel);
    await table('Results of each referral code');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(rowsOf(await table('Results of each referral code'))).toHaveLength(2);
    await user.type(screen.getByRole('searchbox', { name: 'Find a code' }), 'nel13');
    const rows = rowsOf(await table('Results of each referral code'));
    expect(rows.map(([code]) => code)).toEqual(['FUNNEL13']);
  });

  it('says a long time to the first referral in days and hours too', async () => {
    server.use(
      dashboardIs({
        referralVelocity: { avgTimeToFirstReferral: 102_768, avgReferralsPerUser: 0.4 },
      }),
    );
    renderAdmin(funnel);
    expect(await figure('Avg time to first referral')).toBe('1,712m 48s');
    expect(
      screen.getByText('about 1 day 5 hours, among people who referred someone'),
    ).toBeInTheDocument();
  });

  it('says how fast people refer', async () => {
    renderAdmin(funnel);
    expect(await figure('Avg time to first referral')).toBe('3m 25s');
    expect(await figure('Avg referrals per user')).toBe('0.3');
  });

  it('draws the times to the first referral', async () => {
    const { user } = renderAdmin(funnel);
    const chart = await screen.findByRole('figure', { name: 'Time to first referral' });
    await user.click(within(chart).getByRole('button', { name: /^Show as table/ }));
    expect(rowsOf(within(chart).getByRole('table'))).toEqual([
      ['Under 1 minute', '4'],
      ['1 minute to 10 minutes', '9'],
      ['10 minutes to 1 hour', '6'],
      ['1 hour to 6 hours', '3'],
      ['6 hours to 1 day', '2'],
      ['1 day to 1 week', '1'],
      ['1 week or longer', '1'],
    ]);
  });

  it('lists the first five referrers, their numbers masked', async () => {
    renderAdmin(funnel);
    const rows = rowsOf(await table('People who referred the most friends'));
    expect(rows).toHaveLength(5);
    expect(rows[0]).toEqual(['TOPREF10', '***-***-4500', '90']);
    expect(document.body).not.toHaveTextContent('5551234500');
  });

  it('says what will stand here', async () => {
    const velocity = someTrends().velocity.map((bucket) => ({ ...bucket, referrers: 0 }));
    server.use(
      dashboardIs({ referralFunnel: [], topReferrers: [] }),
      adminCall('get', 'analytics/trends', () => someTrends({ velocity })),
    );
    renderAdmin(funnel);
    expect(await screen.findByText('No referral codes in use yet')).toBeInTheDocument();
    expect(screen.getByText('No referrals yet')).toBeInTheDocument();
    expect(await screen.findByText('Nobody has referred a friend yet')).toBeInTheDocument();
  });
});
