/**
 * Stands inline in success pages. It fetches the entrant and the figures, and writes them into the built page, so that
 * nothing waits for React. React is loaded on the first touch, or when the page has been still for a while; at once where
 * the page has to show what only React can.
 */
import type { StandingView, StatsView, UserView } from '../site/api/generated';
import { fillPage } from '../site/features/success/early/fillPage';
import { isOwn } from '../site/lib/isOwn';
import { COPIED, PURCHASE_KEY, type Figures } from '../site/lib/early';
import { track, type Platform } from '../site/lib/tracked';
import { awaitTouch, release, wake, wakeSoon, writeDate } from './application';
import { tab } from './missingFile';

/** After the load event: long enough for a slow phone to be done, and short enough for who only reads. */
const STILL_MS = 3_000;
const TIMEOUT_MS = 15_000;

const id = Number(location.pathname.split('/').pop());
const api = `/api/users/${id}`;
let figures: Figures | undefined;
let isTaken = false;
let held: HTMLElement | null | undefined;

window.earlyAnswers = {};
window.early = {
  take() {
    isTaken = true;
    return figures;
  },
  release() {
    removeEventListener('click', hold, true);
    release();
    held?.click();
  },
};

writeDate();
awaitTouch(() => {
  held = undefined;
});
addEventListener('click', hold, true);
window.onload = () => setTimeout(wake, STILL_MS);
show().catch(wakeSoon); // React says what failed, and asks again when it is told to

async function show() {
  // A purchase that has to be finished, or words for people who were in before.
  if (location.search || tab?.getItem(PURCHASE_KEY)) wakeSoon();
  const [user, stats] = await Promise.all([read<UserView>(''), read<StatsView>('/stats')]);
  if (user.id !== id || !user.referralCode || stats.entriesOnHold) return wakeSoon();
  if (isTaken) return;
  figures = { user, stats };
  fillPage(figures, writeDate());
  window.earlyAnswers = {};
  if (!isOwn(user, id)) return;
  const standing = await read<StandingView>('/appeal');
  if (standing.onHold || standing.appeal || standing.drawing?.claim) wakeSoon();
}

/** The answer stays for the application, which asks for the same. */
async function read<View>(path: string): Promise<View> {
  // After what the first paint needs.
  const asked = fetch(api + path, { priority: 'low', signal: AbortSignal.timeout(TIMEOUT_MS) });
  window.earlyAnswers![api + path] = asked;
  const answer = await asked;
  if (!answer.ok) throw new Error();
  return answer.clone().json() as Promise<View>;
}

/**
 * A press of a button waits for the application. What shares the link does so at once, and is counted unless React answers.
 */
function hold(event: Event) {
  const target = event.target as Element;
  const share = target.closest<HTMLElement>('[data-share]');
  const button = target.closest<HTMLElement>('#root button');
  if (button) {
    held = button;
    event.preventDefault();
    event.stopPropagation();
    wake();
  }
  if (!figures || !share || isTaken) return;
  if (button)
    copy(share).catch(Boolean); // React copies it, or says why not
  else count(share);
}

/** Says that it did in the words of React, which says so too when it takes over. A browser that refuses leaves it to React. */
async function copy(button: HTMLElement) {
  const field = document.querySelector('textarea')!;
  await navigator.clipboard.writeText(`${location.protocol}//${field.value}`);
  if (isTaken) return;
  held = undefined;
  window.early!.copied = true;
  button.firstChild!.nodeValue = button.nextSibling!.textContent = COPIED;
  count(button);
}

function count(share: HTMLElement) {
  track({
    kind: 'referral_share',
    platform: share.dataset.share as Platform,
    userId: id,
    referralCode: figures!.user.referralCode,
  });
}
