import type { Figures } from '../../../lib/early';

/** What stands in the template of a success page for what only the server and the browser know: see fillPage. */
export const ORIGIN = 'EARLY_ORIGIN';
export const CODE = 'EARLY_CODE';
export const PHONE = 'EARLY_PHONE';
export const TOTAL = -1;
export const FRIENDS = -2;
export const BONUS = -3;

/** With these the build renders the template. */
export const placeholders = (id: number): Figures => ({
  user: { id, phoneNumber: PHONE, referralCode: CODE, landingPage: 'garden-bag', createdAt: '' },
  stats: {
    totalEntries: TOTAL,
    referralCount: FRIENDS,
    paidEntries: BONUS,
    baseEntries: 0,
    bonusEntries: 0,
    entriesOnHold: 0,
  },
});
