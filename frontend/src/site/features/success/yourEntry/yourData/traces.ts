/** What the pages of an entrant leave in this browser. The answer about ads stays: it is the browser's. */
const PREFIX = 'tombola.';
const DRAWINGS = 'tombola.drawings';

/** Forgets the entrant: a code or a payment that waits, the visit, links of texts, and the own numbers in drawings. */
export function forgetEntrant(): void {
  forgetIn(() => sessionStorage, PREFIX);
  forgetIn(() => localStorage, DRAWINGS);
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
