import { WITHOUT_A_CLOCK } from '../../../../shared/lib/nextDrawing';
import type { Figures } from '../../../lib/early';

/**
 * What stands in the template of a success page for what only the server and the browser know: see fillPage. The origin is one, so
 * that it is encoded in the message of a link.
 */
export const ORIGIN = 'https://early';
/** The origin without its scheme, as the link is shown. */
export const HOST = 'early/';
export const CODE = 'EARLY_CODE';
export const PHONE = 'EARLY_PHONE';

/** What the server writes into a raffle's texts for sharing. */
export const early = { origin: ORIGIN, code: CODE, nextDrawing: WITHOUT_A_CLOCK };

/** Each makes another text, and none that stands elsewhere. */
export const FIGURES = {
  totalEntries: -901,
  referralCount: -902,
  paidEntries: -903,
  bonusEntries: -1809,
  freeEntries: -904,
};

/** With these the build renders the template. */
export const placeholders = (id: number): Figures => ({
  user: {
    id,
    phoneNumber: PHONE,
    referralCode: CODE,
    landingPage: '',
    lastDrawing: null,
    createdAt: '',
  },
  stats: { ...FIGURES, baseEntries: 0, entriesOnHold: 0 },
});
