import type { AuditEntryView } from '../../shared/api/admin';
import { formatCount, inWords } from '../../shared/lib/format';
import { raffleNames } from '../../shared/lib/raffleNames';

/** The actions that can be filtered by. */
export const actionNames: Record<AuditEntryView['action'], string> = {
  login: 'Login',
  logout: 'Logout',
  flag_user: 'Flag user',
  unflag_user: 'Unflag user',
  fraud_detection: 'Fraud detection',
  clear_analytics: 'Clear analytics',
  clear_referrals: 'Clear referrals',
  perform_drawing: 'Perform drawing',
};

/** Flags name their user by id, drawings themselves. */
export function targetOf({ action, target }: AuditEntryView): string | undefined {
  if (!target) return undefined;
  if (action === 'perform_drawing') return `Drawing ${target}`;
  return /^(un)?flag_user$/.test(action) ? `User ${target}` : target;
}

/** `{reason: 'Shared address', pageViews: 1200}` reads `Reason: Shared address`, `Page Views: 1,200`. */
export function detailsOf(details: AuditEntryView['details']): string[] {
  return Object.entries(details).map(([key, value]) =>
    key === 'landingPage' ? `Raffle: ${raffleName(value)}` : `${inWords(key)}: ${inText(value)}`,
  );
}

const inText = (value: string | number): string =>
  typeof value === 'number' ? formatCount(value) : value;

const raffleName = (key: string | number): string =>
  (raffleNames as Record<string, string>)[key] ?? inText(key);
