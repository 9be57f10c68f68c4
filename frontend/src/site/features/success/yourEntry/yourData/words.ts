import type { ApiError } from '../../../../../shared/api/apiError';
import { endOf, type End } from '../../../../lib/codeEnds';
import { sentenceOf } from '../../../../lib/sentenceOf';

/** What to do first, where nothing can be deleted yet. */
const blocked: Record<string, string> = {
  open_claim:
    'You have a prize claim that is not settled yet, so we cannot delete your data now. Open the link in our text about the prize, and claim the prize or decline it. Then come back here.',
  open_purchase:
    'A purchase of yours may still be paid, so we cannot delete your data now. Finish it, or try again in an hour.',
};

export const CODE_ENDED = 'This code no longer works. Start again to get a new one.';

const ended: Record<End, string> = {
  expired: CODE_ENDED,
  used: 'This code was used already. Reload the page to see what became of it.',
};

export function problemOf(error: ApiError): string {
  const end = endOf(error);
  return end ? ended[end] : (blocked[error.code ?? ''] ?? sentenceOf(error));
}

/** `November 26, 2026 at 3:14 PM`, where the visitor is. */
export const moment = (at: string): string =>
  new Date(at).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short' });
