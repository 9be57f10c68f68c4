import { CODE_EXPIRED, type End } from '../../lib/codeEnds';

/** Why the step for the code was left: by the visitor, or because the code is worth nothing any more. */
export type Left = 'changed' | End;

/** What the form says to people who are back at it. */
export const leftWords: Record<Left, string | undefined> = {
  changed: undefined,
  expired: CODE_EXPIRED,
  used: 'This code was used already. Enter your number again to get your page back.',
};
