declare global {
  interface Window {
    /**
     * Told by whoever needed a file of the application that did not arrive. Reloads the page once if it may, then says so: see
     * src/entries/missingFile.ts, which stands inline in the page.
     */
    fileMissing?: (mayReload: boolean) => void;
  }
}

/** Stands in every page that runs in the browser, hidden until a file did not arrive. */
export const STALE = 'This page is out of date or did not finish loading.';

export const OFFLINE = 'You seem to be offline.';
