/**
 * Stands inline in every page that runs in the browser, and is all of its JavaScript until somebody
 * touches it: writes dates, fetches the application on the first touch, and holds what is submitted before.
 */
import { CODE_KEY, labels, type Early } from '../site/lib/early';
import { CODES_META } from '../site/lib/phoneVerification';
import { nextDrawing, siteTimeZone } from '../shared/lib/nextDrawing';

const touches = ['pointerdown', 'pointermove', 'keydown', 'focusin'];
const { scripts, hydrate } = document.body.dataset;
const root = document.documentElement;
let held: HTMLFormElement | undefined;
let awake = false;

for (const element of document.querySelectorAll('[data-next-drawing]')) {
  element.textContent = nextDrawing(new Date(), siteTimeZone());
}

for (const element of document.querySelectorAll<HTMLElement>('[data-if-codes]')) {
  element.hidden = !document.querySelector(CODES_META);
}

const early: Early = {
  get held() {
    return held !== undefined;
  },
  giveUp,
  release() {
    removeEventListener('submit', hold, true);
    for (const type of touches) removeEventListener(type, wake, true);
    window.early = undefined;
  },
};
window.early = early;

addEventListener('submit', hold, true);
for (const type of touches) addEventListener(type, wake, true);
// After the first paint, so that the built page shows before the application takes the processor.
if (hydrate === 'now') requestAnimationFrame(() => setTimeout(wake));
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

function wake() {
  if (awake) return;
  awake = true;
  say('');
  for (const address of scripts?.split(' ') ?? []) {
    const element = document.createElement('script');
    element.src = address;
    element.onerror = giveUp;
    document.head.append(element);
  }
}

/** The application did not arrive: the form is as it was, with the number in it, and the next touch tries again. */
function giveUp() {
  awake = false;
  delete root.dataset.awaitingCode;
  if (!held) return;
  label(labels.enter, 'false');
  held = undefined;
  say("The page didn't finish loading. Check your connection and press the button again.");
}

function label(text: string, busy: string) {
  const button = held?.querySelector('button[type=submit]');
  if (!button) return;
  button.textContent = text;
  button.setAttribute('aria-disabled', busy);
}

function say(text: string) {
  const problem = document.querySelector('[data-problem]');
  if (problem) problem.textContent = text;
}
