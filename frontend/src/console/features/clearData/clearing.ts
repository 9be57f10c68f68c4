import type {
  AnalyticsCountsView,
  JobView,
  ReferralCountsView,
  SmsCountsView,
  StoredDataView,
} from '../../api/admin';
import { countOf } from '../../../shared/lib/format';

/** Texts are cleared with their templates in Settings, and without them on the dashboard. */
export type Kind = 'analytics' | 'referrals' | 'campaigns' | 'sms';

interface Words {
  button: string;
  /** What goes, in general. */
  means: string;
  /** What stays or follows. */
  consequence: string;
  done: string;
  failed: { title: string; description: string };
}

const NOT_SENT = "Text figures restart at zero, and queued texts won't be sent.";
const STILL_OUT = 'People who replied STOP stay opted out, and consents are kept.';
const FAILED_SMS = {
  title: 'Error clearing SMS data',
  description: 'Failed to clear SMS data',
};

export const words: Record<Kind, Words> = {
  analytics: {
    button: 'Clear Analytics Data',
    means: 'Page views, social shares and funnel steps, and every figure and chart based on them.',
    consequence: 'Views, sessions and funnels restart at zero. Users and entries stay.',
    done: 'Analytics data cleared',
    failed: { title: 'Error clearing analytics', description: 'Failed to clear analytics' },
  },
  referrals: {
    button: 'Clear Referral Data',
    means: 'Who referred whom, and the bonus entries they earned.',
    consequence:
      'Everyone who referred a friend loses those entries, and the chances that came with them. Users stay.',
    done: 'Referrals cleared',
    failed: { title: 'Error clearing referrals', description: 'Failed to clear referrals' },
  },
  campaigns: {
    button: 'Clear Campaigns',
    means: 'Campaigns, their texts and the clicks on them. Templates stay.',
    consequence: `${NOT_SENT} Templates, replies and welcome messages stay. ${STILL_OUT}`,
    done: 'Campaigns cleared',
    failed: FAILED_SMS,
  },
  sms: {
    button: 'Clear All SMS Data',
    means: 'Campaigns, their texts, the clicks on them, the templates, and the replies.',
    consequence: `${NOT_SENT} Welcome messages stay. ${STILL_OUT}`,
    done: 'SMS data cleared',
    failed: FAILED_SMS,
  },
};

/** What a clearing deletes, of everything that is stored. */
export function storedRows(kind: Kind, { analytics, referrals, sms }: StoredDataView): string {
  switch (kind) {
    case 'analytics':
      return analyticsRows(analytics);
    case 'referrals':
      return referralRows(referrals);
    case 'campaigns':
      return campaignRows(sms);
    case 'sms':
      return smsRows(sms);
  }
}

const kinds: Record<JobView['what'], Kind> = {
  clear_analytics: 'analytics',
  clear_referrals: 'referrals',
  clear_campaigns: 'campaigns',
  clear_sms: 'sms',
};

export const kindOf = (job: JobView): Kind => kinds[job.what];

/** What a job deleted. */
export function deletedRows(kind: Kind, { deleted }: JobView): string {
  const { pageViews = 0, socialShares = 0, funnelSteps = 0 } = deleted;
  const { referrals = 0, bonusEntries = 0 } = deleted;
  const { campaigns = 0, messages = 0, clicks = 0, templates = 0, replies = 0 } = deleted;
  return storedRows(kind, {
    analytics: { pageViews, socialShares, funnelSteps },
    referrals: { referrals, bonusEntries },
    sms: { campaigns, messages, clicks, templates, replies },
  });
}

/** Why a job stopped, and what there is to do. */
export function failureOf(kind: Kind, job: JobView): string {
  const reason =
    job.errorCode === 'busy'
      ? 'Other work kept the data in use for too long.'
      : 'The database failed.';
  const part =
    job.deletedRows > 0
      ? `Only a part is deleted (${deletedRows(kind, job)}). Clear again to delete the rest.`
      : 'Nothing is deleted. Try again later.';
  return `${words[kind].failed.description}. ${reason} ${part}`;
}

/** `12 page views, 1 social share and 30 funnel steps` */
export function analyticsRows(rows: AnalyticsCountsView): string {
  const views = countOf(rows.pageViews, 'page view');
  const shares = countOf(rows.socialShares, 'social share');
  return `${views}, ${shares} and ${countOf(rows.funnelSteps, 'funnel step')}`;
}

/** `12 referrals and 12 bonus entries` */
export function referralRows(rows: ReferralCountsView): string {
  const referrals = countOf(rows.referrals, 'referral');
  return `${referrals} and ${countOf(rows.bonusEntries, 'bonus entry', 'bonus entries')}`;
}

/** `2 campaigns, 1,200 texts and 300 clicks` */
export function campaignRows(rows: SmsCountsView): string {
  const [campaigns, texts] = [countOf(rows.campaigns, 'campaign'), countOf(rows.messages, 'text')];
  return `${campaigns}, ${texts} and ${countOf(rows.clicks, 'click')}`;
}

/** `2 campaigns, 1,200 texts, 300 clicks, 4 templates and 7 replies` */
export function smsRows(rows: SmsCountsView): string {
  const [clicks, templates] = [countOf(rows.clicks, 'click'), countOf(rows.templates, 'template')];
  const replies = countOf(rows.replies, 'reply', 'replies');
  const texts = `${countOf(rows.campaigns, 'campaign')}, ${countOf(rows.messages, 'text')}`;
  return `${texts}, ${clicks}, ${templates} and ${replies}`;
}
