import { LINK_KEY } from '../../lib/early';
import { codeIn } from '../../lib/referralCode';
import { forget, recall } from '../../lib/tabStorage';

/** The code of the last link that this tab opened, until it has entered. */
export const keptCode = () => codeIn(recall(LINK_KEY)?.split('/ref/')[1] ?? '');

/** Takes away the banner too. */
export function forgetLink() {
  forget(LINK_KEY);
  delete document.documentElement.dataset.referred;
}
