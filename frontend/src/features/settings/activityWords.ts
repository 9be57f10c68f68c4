import type { AuditEntryView } from '../../shared/api/admin';
import { formatCount, inWords } from '../../shared/lib/format';

/** The actions that can be filtered by. One that is not listed yet shows by its own name. */
export const actionNames: Record<string, string> = {
  login: 'Login',
  logout: 'Logout',
  flag_user: 'Flag user',
  unflag_user: 'Unflag user',
  fraud_detection: 'Fraud detection',
  clear_analytics: 'Clear analytics',
  clear_referrals: 'Clear referrals',
};

export const nameOf = (action: string): string => actionNames[action] ?? inWords(action);

/** Flags name their user by id. */
export function targetOf({ action, target }: AuditEntryView): string | undefined {
  if (!target) return undefined;
  return /^(un)?flag_user$/.test(action) ? `User ${target}` : target;
}

/** `{reason: 'Shared address', pageViews: 1200}` reads `Reason: Shared address`, `Page Views: 1,200`. */
export function detailsOf(details: AuditEntryView['details']): string[] {
  return Object.entries(details).map(([key, value]) => `${inWords(key)}: ${inText(value)}`);
}

function inText(value: unknown): string {
  if (typeof value === 'number') return formatCount(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
