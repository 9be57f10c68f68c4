import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { aDashboard, aFunnel, someTrends } from '../../../testing/console/builders';
import { adminCall, never } from '../../../testing/console/handlers';
import { figure, renderAdmin } from '../../../testing/console/renderConsole';
import { server } from '../../../testing/server';
import { someSales } from '../../../testing/console/sales';
import { aMe } from '../../../testing/console/staff';
import { dashboardIs } from '../../../testing/console/analytics';
import { REFRESH_MS } from '../../lib/polled';

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

describe('the summary', () => {
  it('has the four figures', async () => {
    renderAdmin();
    expect(await figure('Total Users')).toBe('1,284');
    expect(await figure('Total Referrals')).toBe('392');
    expect(await figure('Page Views')).toBe('8,641');
    expect(await figure('Conversion Rate')).toBe('14.86%');
    expect(screen.getByText('users who register after viewing the page')).toBeInTheDocument();
  });

  it('has what was sold this month, for those who may see it', async () => {
    const asked: string[] = [];
    server.use(
      adminCall('get', 'sales', ({ url }) => {
        asked.push(new URL(url).search);
        return someSales();
      }),
    );
    renderAdmin();
    await waitFor(async () => expect(await figure('Revenue')).toBe('$49.98'));
    expect(asked).toEqual([expect.stringMatching(/^\?startDate=\d{4}-\d{2}-01$/)]);
    expect(screen.getByRole('link', { name: 'See sales' })).toHaveAttribute(
      'href',
      expect.stringContaining('section=sales'),
    );
  });

  it('has no revenue for a viewer', async () => {
    server.use(adminCall('get', 'me', () => aMe({ role: 'viewer' })));
    renderAdmin();
    expect(await figure('Total Users')).toBe('1,284');
    expect(screen.queryByText('Revenue')).not.toBeInTheDocument();
  });

  it('has them without any data too', async () => {
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

  it('keeps the old figures when it fails, shows the failure, and recovers', async () => {
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

  it('pauses while the tab is hidden, and refreshes at once when it is shown again', async () => {
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

describe('refreshing automatically', () => {
  it.each([
    ['conversion', 'analytics/funnel', () => ({ funnel: aFunnel() })],
    ['funnel', 'analytics/trends', () => someTrends()],
    ['security', 'flagged-users', () => ({ flaggedUsers: [] })],
    ['pricing', 'entry-packages', () => ({ packages: [] })],
  ])('fetches again what the tab %s shows', async (tab, path, answer) => {
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
