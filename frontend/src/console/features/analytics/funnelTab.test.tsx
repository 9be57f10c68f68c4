import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { someTrends } from '../../../testing/console/builders';
import { adminCall } from '../../../testing/console/handlers';
import { figure, renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { server } from '../../../testing/server';
import { dashboardIs, table } from '../../../testing/console/analytics';

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

  it('shows empty states', async () => {
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
