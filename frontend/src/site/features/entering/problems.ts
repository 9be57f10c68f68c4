import type { ApiError } from '../../../shared/api/apiError';

/** Why the step for the code was left: by the visitor, or because the code is worth nothing any more. */
export type Left = 'changed' | 'expired' | 'used';

/** What the form says to people who are back at it. */
export const leftWords: Record<Left, string | undefined> = {
  changed: undefined,
  expired: 'This code no longer works: a code is good for 10 minutes and 5 tries.',
  used: 'This code was used already. Enter your number again to get your page back.',
};

/** Whether the code is worth nothing any more, and why. */
export function endOf({ code }: ApiError): Left | undefined {
  if (code === 'verification_expired') return 'expired';
  return code === 'verification_used' ? 'used' : undefined;
}
