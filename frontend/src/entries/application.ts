/** What the inline scripts share: they write dates, and load the application on the first touch or before. */
import { nextDrawing, siteTimeZone } from '../shared/lib/nextDrawing';
import { answerMissing, hasStarted } from './missingFile';

const addresses = document.body.dataset.scripts!.split(' ');
let isAwake = false;
let onFailure: () => void;

/** Writes the date into the page, and gives it. */
export function writeDate(): string {
  const date = nextDrawing(new Date(), siteTimeZone());
  for (const element of document.querySelectorAll('[data-next-drawing]')) {
    element.textContent = date;
  }
  return date;
}

/** Waits for a touch. `failed` is told when a file did not arrive; the next touch tries again. */
export function awaitTouch(failed: () => void) {
  onFailure = failed;
  for (const type of ['pointerdown', 'pointermove', 'keydown', 'focusin']) {
    addEventListener(type, wake, true);
  }
  window.fileMissing = giveUp;
}

export function release() {
  hasStarted();
  window.early = undefined;
}

export function wake() {
  if (isAwake) return;
  isAwake = true;
  for (const address of addresses) {
    const element = document.createElement('script');
    element.src = address;
    element.onerror = () => giveUp(true);
    document.head.append(element);
  }
}

/** After the first paint, so that the built page shows before the application takes the processor. */
export function wakeSoon() {
  requestAnimationFrame(() => setTimeout(wake));
}

function giveUp(mayReload: boolean) {
  isAwake = !window.early; // what has started is not started again
  onFailure();
  void answerMissing(mayReload);
}
