import type { StatsView } from '../../../api/generated';
import type { Figures } from '../../../lib/early';

/** What stands in the template of a success page for what only the server and the browser know: see fillPage. */
export const ORIGIN = 'EARLY_ORIGIN';
export const CODE = 'EARLY_CODE';
export const PHONE = 'EARLY_PHONE';

/** Each makes another text. */
export const FIGURES: StatsView = {
  totalEntries: -1,
  referralCount: -2,
  paidEntries: -3,
  bonusEntries: -9,
  freeEntries: -4,
  baseEntries: 0,
  entriesOnHold: 0,
};

/** With these the build renders the template. */
export const placeholders = (id: number): Figures => ({
  user: { id, phoneNumber: PHONE, referralCode: CODE, landingPage: 'garden-bag', createdAt: '' },
  stats: FIGURES,
});
