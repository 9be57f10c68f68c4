import type { AnalyticsCountsView, ReferralCountsView } from '../../shared/api/admin';
import { formatCount } from '../../shared/lib/format';

export type Kind = 'analytics' | 'referrals';

interface Words {
  button: string;
  /** What goes, in general. */
  means: string;
  /** What stays or follows. */
  consequence: string;
  done: string;
  failed: { title: string; description: string };
}

export const words: Record<Kind, Words> = {
  analytics: {
    button: 'Clear Analytics Data',
    means: 'Page views, social shares and funnel steps, with every figure and chart made of them.',
    consequence: 'Views, sessions and funnels start again at zero. Users and entries stay.',
    done: 'Analytics data cleared',
    failed: { title: 'Error clearing analytics', description: 'Failed to clear analytics' },
  },
  referrals: {
    button: 'Clear Referral Data',
    means: 'Who brought whom, and the bonus entries that were given for it.',
    consequence:
      'Everybody who brought a friend loses the entries for it, and their chances with them. Users stay.',
    done: 'Referrals cleared',
    failed: { title: 'Error clearing referrals', description: 'Failed to clear referrals' },
  },
};

const counted = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** `12 page views, 1 social share and 30 funnel steps` */
export function analyticsRows(rows: AnalyticsCountsView): string {
  const views = counted(rows.pageViews, 'page view');
  const shares = counted(rows.socialShares, 'social share');
  return `${views}, ${shares} and ${counted(rows.funnelSteps, 'funnel step')}`;
}

/** `12 referrals and 12 bonus entries` */
export function referralRows(rows: ReferralCountsView): string {
  const referrals = counted(rows.referrals, 'referral');
  return `${referrals} and ${counted(rows.bonusEntries, 'bonus entry', 'bonus entries')}`;
}
