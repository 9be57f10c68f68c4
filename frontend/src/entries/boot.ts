/**
 * Stands inline in every page that runs in the browser but those of success (successBoot.ts), and is all of its
 * JavaScript until somebody touches it: writes dates, fetches the application on the first touch, and holds what is
 * submitted before.
 */
import { CODE_KEY, labels } from '../site/lib/early';
import { CODES_META } from '../site/lib/phoneVerification';
import { showWayBack } from '../site/lib/yourPage';
import { awaitTouch, giveUp, release, sayProblem, wake, wakeSoon } from './application';

const { hydrate } = document.body.dataset;
const root = document.documentElement;
let held: HTMLFormElement | undefined;

for (const element of document.querySelectorAll<HTMLElement>('[data-if-codes]')) {
  element.hidden = !document.querySelector(CODES_META);
}

showWayBack();
awaitTouch(giveBack);

window.early = {
  get held() {
    return held !== undefined;
  },
  giveUp,
  release() {
    removeEventListener('submit', hold, true);
    release();
  },
};

addEventListener('submit', hold, true);
if (hydrate === 'now') wakeSoon();
try {
  if (sessionStorage.getItem(CODE_KEY)) {
    root.dataset.awaitingCode = ''; // the application may show another form, which it has to load first
    wake();
  }
} catch {
  // a browser that denies storage
}

function hold(event: SubmitEvent) {
  event.preventDefault();
  event.stopPropagation();
  held = event.target as HTMLFormElement;
  label(labels.entering, 'true');
  wake();
}

/** The application did not arrive: the form is as it was, with the number in it. */
function giveBack() {
  delete root.dataset.awaitingCode;
  if (!held) return;
  label(labels.enter, 'false');
  held = undefined;
  sayProblem(true);
}

function label(text: string, busy: string) {
  const button = held?.querySelector('button[type=submit]');
  if (!button) return;
  button.textContent = text;
  button.setAttribute('aria-disabled', busy);
}
