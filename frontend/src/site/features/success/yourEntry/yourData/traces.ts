import { forgetYourPage } from '../../../../lib/yourPage';
import { endPush } from '../push/browser';

/** What the pages of an entrant leave in this browser. The answer about ads stays: it is the browser's. */
const PREFIX = 'tombola.';
const DRAWINGS = 'tombola.drawings';

/**
 * Forgets the entrant: a code or a payment that waits, the visit, links of texts, the own numbers in drawings, the way
 * back to the page, and messages about drawings.
 */
export function forgetEntrant(): void {
  forgetIn(() => sessionStorage, PREFIX);
  forgetIn(() => localStorage, DRAWINGS);
  forgetYourPage();
  endPush().catch(() => undefined); // the server has deleted the endpoint, so nothing would come anyway
}

function forgetIn(storage: () => Storage, prefix: string) {
  try {
    const stored = storage();
    for (const key of Object.keys(stored).filter((each) => each.startsWith(prefix))) {
      stored.removeItem(key);
    }
  } catch {
    // Denied: there is nothing in it.
  }
}
