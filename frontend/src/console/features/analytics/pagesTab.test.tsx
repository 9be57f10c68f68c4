import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aDashboard, aRaffle, someTrends } from '../../../testing/console/builders';
import { adminCall, never } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { dashboardIs, table } from '../../../testing/console/analytics';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T15:00:00Z') }),
);
afterEach(() => void vi.useRealTimers());

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

  it('has a test link to each page that texts link to', async () => {
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

  it('has one to each raffle that staff have made, but to no draft', async () => {
    const raffles = [
      aRaffle({ landingPage: 'summer-box', linkPrefix: 'r17', status: 'closed' }),
      aRaffle({ landingPage: 'winter-box', linkPrefix: 'r18', status: 'draft' }),
    ];
    server.use(adminCall('get', 'raffles', { raffles }));
    renderAdmin();
    const card = await screen.findByRole('region', { name: 'Product showcase test links' });
    const link = within(card).getByRole('link');
    expect(link).toHaveAttribute('href', '/planter/r17-preview2345');
  });

  it('has sample links with a code that works', async () => {
    renderAdmin();
    const link = await screen.findByRole('link', { name: /^\/kitchen-garden\/ref\/TOPREF10/ });
    expect(link).toHaveAttribute('href', '/kitchen-garden/ref/TOPREF10');
    expect(screen.getAllByRole('link', { name: /\/ref\// })).toHaveLength(4);
  });

  it('explains the sample links when there is no code', async () => {
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

  it('ends the lines at now: an hour that is yet to come has no zero', async () => {
    vi.setSystemTime('2026-11-21T06:30:00Z');
    const buckets = [5, 6, 7, 8].map((hour) => `2026-11-21T0${hour}:00:00Z`);
    const raffles = [{ landingPage: 'garden-bag', views: [3, 4, 0, 0], signUps: [0, 1, 0, 0] }];
    server.use(
      adminCall('get', 'analytics/trends', () => someTrends({ unit: 'hour', buckets, raffles })),
    );
    const { user } = renderAdmin();
    const chart = await screen.findByRole('figure', { name: 'Page views' });
    expect(chart.querySelector('.plot .line')?.getAttribute('d')?.split('L')).toHaveLength(2);
    expect([...chart.querySelectorAll('text')].at(-1)).toHaveTextContent('3 AM');
    const scrubber = within(chart).getByRole('slider');
    expect(scrubber).toHaveAttribute('max', '1');
    expect(scrubber).toHaveAttribute('aria-valuetext', 'Nov 21, 1 AM: Garden Bag 4');
    await user.click(within(chart).getByRole('button', { name: /^Show as table/ }));
    expect(within(chart).getAllByRole('row')).toHaveLength(3);
  });

  it('has a line for each of five raffles, and of more for the four with the most views', async () => {
    const of = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        landingPage: `box-${n}`,
        views: [(n * 5) % 7, 10, 0],
        signUps: [n, 0, 1],
      }));
    let raffles = of(5);
    server.use(adminCall('get', 'analytics/trends', () => someTrends({ raffles })));
    const { user } = renderAdmin();
    const legend = async (name: string) => {
      const chart = await screen.findByRole('figure', { name });
      const lines = within(chart).getAllByRole('listitem');
      return lines.map(({ textContent }) => textContent);
    };
    const five = ['Box 010', 'Box 115', 'Box 213', 'Box 311', 'Box 416'];
    expect(await legend('Page views')).toEqual(five);

    raffles = of(7);
    await user.click(screen.getByRole('button', { name: '7 days' }));
    const seven = ['Box 115', 'Box 213', 'Box 416', 'Box 514', 'All others33'];
    await waitFor(async () => expect(await legend('Page views')).toEqual(seven));
    const signUps = ['Box 12', 'Box 23', 'Box 45', 'Box 56', 'All others12'];
    expect(await legend('Sign-ups')).toEqual(signUps);
    const chart = within(await screen.findByRole('figure', { name: 'Page views' }));
    await user.click(chart.getByRole('button', { name: /^Show as table/ }));
    expect(screen.getByRole('columnheader', { name: 'Box 6' })).toBeInTheDocument();
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

  it("puts the server's word about a date at its input", async () => {
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

  it('shows an error when the chart fails to load, and can be tried again', async () => {
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
