/**
 * Part of the inline scripts: what becomes of a page one of whose files did not arrive, because the tab is older than the last
 * build, or because of the connection. It reloads the page once by itself, and after that says what is the matter.
 */

/** Where a tab keeps that it has reloaded, so that it never does in a loop. */
const KEY = 'tombola.missing';
/** After the start of the application: longer than a file that the started page asks for is waited for, which is two minutes. */
const STARTED_MS = 150_000;
const LEAVING_MS = 5_000;

/** What the stylesheets go by. */
export const marks = document.documentElement.dataset;

let leaving: Promise<unknown> | undefined;
let isBusy = false;

/** The storage of the tab, unless the browser denies it. */
export const tab = (() => {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
})();

// Leaving the page breaks off what is on its way, which then looks as if it had not arrived.
window.onbeforeunload = window.onpagehide = () => {
  leaving = new Promise((over) => setTimeout(over, LEAVING_MS));
};

/** For a file that did not arrive, or only to say that something did not. */
export async function answerMissing(mayReload: boolean) {
  if (isBusy) return;
  isBusy = true;
  await leaving;
  try {
    // A page of the browser's own about the connection would be worse than this one.
    if (mayReload && navigator.onLine && !tab!.getItem(KEY) && (await fetch('')).ok) {
      tab!.setItem(KEY, '1');
      return location.reload();
    }
  } catch {
    // no storage or no answer
  }
  isBusy = false;
  marks.missing = navigator.onLine ? 'stale' : 'offline';
}

export function hasStarted() {
  delete marks.missing;
  setTimeout(() => tab?.removeItem(KEY), STARTED_MS);
}
