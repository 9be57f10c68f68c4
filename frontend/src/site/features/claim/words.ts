import type { Claim, Reason } from './api';

type Status = Claim['status'];

/** Nobody reads "you won" before staff have approved the claim. */
export const titles: Record<Status, string> = {
  pending: 'You may have won',
  code_verified: 'You may have won',
  submitted: 'You may have won',
  verified: 'You won',
  shipped: 'You won',
  delivered: 'You won',
  rejected: 'Your prize claim',
  declined: 'Your prize claim',
  expired: 'Your prize claim',
  unreachable: 'Your prize claim',
};

export const reasons: Record<Reason, string> = {
  underage: 'By what we know, you were not 18 on the day you entered.',
  residence: 'By what we know, you do not live in the United States.',
  affiliated: 'You work for us, or live with somebody who does.',
  fraud: 'The entry broke the rules: it was made to get around them.',
  payment_reversed: 'The payment for entries that were drawn was taken back.',
  false_details: 'The details that you sent are not right.',
};

const DAY_MS = 86_400_000;

/** `13 days left`. */
export function daysLeft(until: string, now: number): string {
  const days = Math.floor((Date.parse(until) - now) / DAY_MS);
  if (days < 1) return 'less than a day left';
  return days === 1 ? '1 day left' : `${days} days left`;
}
