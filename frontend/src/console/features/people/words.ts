import { inWords } from '../../../shared/lib/format';

const reasons: Record<string, string> = {
  base: 'Sign-up',
  imported: 'Imported',
  referral: 'Friend entered',
  referral_reversed: 'Friend flagged',
  referral_restored: "Friend's flag removed",
  clearing: 'Referrals cleared',
  free: 'Free entries',
  purchase: 'Bought',
  refund: 'Refunded',
  dispute_held: 'Held for a dispute',
  dispute_released: 'Dispute ended',
  moved_base: 'Moved to another raffle',
  moved_referrals: 'Moved: entries for friends',
  moved_free: 'Moved: free entries',
  moved_paid: 'Moved: bought entries',
  moved_held: 'Moved: no longer held',
};

/** Why entries were given or taken. */
export const reasonOf = (kind: string): string => reasons[kind] ?? inWords(kind);

/** A text's kind, a status: what is one word on the server. */
export const named = (key: string): string => inWords(key);
