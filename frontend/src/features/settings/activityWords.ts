import type { AuditEntryView } from '../../shared/api/admin';
import { formatCount, inWords } from '../../shared/lib/format';

/** The actions that can be filtered by. */
export const actionNames: Record<AuditEntryView['action'], string> = {
  login: 'Login',
  logout: 'Logout',
  flag_user: 'Flag user',
  unflag_user: 'Unflag user',
  fraud_detection: 'Fraud detection',
  clear_analytics: 'Clear analytics',
  clear_referrals: 'Clear referrals',
};

/** Flags name their user by id. */
export function targetOf({ action, target }: AuditEntryView): string | undefined {
  if (!target) return undefined;
  return /^(un)?flag_user$/.test(action) ? `User ${target}` : target;
}

/** `{reason: 'Shared address', pageViews: 1200}` reads `Reason: Shared address`, `Page Views: 1,200`. */
export function detailsOf(details: AuditEntryView['details']): string[] {
  return Object.entries(details).map(([key, value]) => `${inWords(key)}: ${inText(value)}`);
}

const inText = (value: string | number): string =>
  typeof value === 'number' ? formatCount(value) : value;
