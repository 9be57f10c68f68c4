/**
 * Stands inline in every page that runs in the browser but those of success (successBoot.ts), and is all of its
 * JavaScript until somebody touches it: writes dates, fetches the application on the first touch, and holds what is
 * submitted before.
 */
import { CODE_KEY, labels, LINK_KEY } from '../site/lib/early';
import { onNewDay } from '../shared/lib/onNewDay';
import { CODES_META } from '../site/lib/phoneVerification';
import { showWayBack } from '../site/lib/yourPage';
import { awaitTouch, release, wake, wakeSoon, writeDate } from './application';
import { marks, tab } from './missingFile';

/** Where a tab keeps what was typed while it reloads, and whether that was submitted. */
const TYPED_KEY = 'tombola.typed';

const { hydrate } = document.body.dataset;
let held: HTMLFormElement | undefined;
let wasHeld = false;

for (const element of document.querySelectorAll<HTMLElement>('[data-if-codes]')) {
  element.hidden = !document.querySelector(CODES_META);
}

showWayBack();
onNewDay(writeDate);
awaitTouch(giveBack);

window.early = {
  get held() {
    return held !== undefined;
  },
  release() {
    removeEventListener('submit', hold, true);
    held = undefined;
    release();
  },
};

addEventListener('submit', hold, true);
if (hydrate === 'now') wakeSoon();
if (tab?.getItem(CODE_KEY)) {
  marks.awaitingCode = ''; // the application may show another form, which it has to load first
  wake();
}
giveBackTyped();
if (location.pathname.includes('/ref/')) tab?.setItem(LINK_KEY, location.pathname);
if (tab?.getItem(LINK_KEY)) marks.referred = ''; // shows the banner, which the page of a link has from the start

function hold(event: SubmitEvent) {
  event.preventDefault();
  event.stopPropagation();
  holdForm(event.target as HTMLFormElement);
}

function holdForm(form: HTMLFormElement) {
  held = form;
  label(labels.entering, 'true');
  wake();
}

/** A file did not arrive: the form is as it was, with the number in it, and so it is should the page be loaded again. */
function giveBack() {
  delete marks.awaitingCode;
  wasHeld ||= !!held; // each missing file comes here
  addEventListener('pagehide', keepTyped);
  label(labels.enter, 'false');
  held = undefined;
}

function keepTyped() {
  const form = signUpForm();
  if (form) tab?.setItem(TYPED_KEY, JSON.stringify([wasHeld, ...new FormData(form)]));
}

function giveBackTyped() {
  const form = signUpForm();
  const typed = tab?.getItem(TYPED_KEY);
  if (!form || !typed) return;
  tab!.removeItem(TYPED_KEY);
  const [isHeld, ...fields] = JSON.parse(typed) as [boolean, ...[string, string][]];
  // Boxes that are not ticked are not among them.
  for (const [name, value] of fields)
    Object.assign(form.elements[name as never]!, { value, checked: true });
  if (isHeld) holdForm(form);
  else form.querySelector('input')!.focus();
}

function signUpForm() {
  return document.querySelector<HTMLFormElement>('form.enter');
}

function label(text: string, busy: string) {
  const button = held?.querySelector('[type=submit]');
  if (!button) return;
  button.textContent = text;
  button.setAttribute('aria-disabled', busy);
}
