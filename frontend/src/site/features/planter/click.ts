/** All that runs on the page behind a text's link, without React: the year of its date or the date, and its click. */
import { nextDrawing, siteTimeZone } from '../../../shared/lib/nextDrawing';
import { yearOfNext } from '../../lib/nextYearly';
import { recall, remember } from '../../lib/tabStorage';
import { track } from '../../lib/tracked';
import { whenSeen } from '../../lib/whenSeen';
import { yourPage } from '../../lib/yourPage';
import { isOurs } from './trackingId';

const ANSWER_WITHIN_MS = 15_000;

/** `in`: the click belongs to an entrant. The page shows `out` too when nobody could be asked. */
type Entry = 'in' | 'out';

interface Options {
  /** Not for people who ask not to be tracked: the page then offers them to enter. */
  reports: boolean;
}

export function startPlanter(trackingId: string, { reports }: Options): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-yearly]')) {
    element.textContent += `, ${yearOfNext(element.dataset.yearly ?? '')}`;
  }
  for (const element of document.querySelectorAll('[data-next-drawing]')) {
    element.textContent = nextDrawing(new Date(), siteTimeZone());
  }
  const entry = document.querySelector<HTMLElement>('[data-entry]');
  const button = entry?.querySelector<HTMLAnchorElement>('a.button');
  const show = (state: Entry) => {
    if (entry) entry.dataset.entry = state;
    const page = yourPage();
    if (button && page && state === 'in') button.href = page;
  };
  if (!reports || !isOurs(trackingId)) return show('out');
  whenSeen(() => {
    click(trackingId).then(show, (problem: unknown) => {
      show('out');
      log(problem);
    });
  });
  button?.addEventListener('click', () => {
    clickButton(trackingId).catch(log);
  });
}

/** Reported once in a visit: the answer is kept, so that loading the page again shows the same. */
async function click(trackingId: string): Promise<Entry> {
  const key = `tombola.click ${trackingId}`;
  const known = recall(key);
  if (known) return known === 'in' ? 'in' : 'out';
  const answer = (await post({ trackingId })) as { isEntrant: boolean };
  const state = answer.isEntrant ? 'in' : 'out';
  remember(key, state);
  track({ kind: 'sms_click' });
  return state;
}

/** The button to the raffle: once in a visit too. */
async function clickButton(trackingId: string): Promise<void> {
  const key = `tombola.cta ${trackingId}`;
  if (recall(key)) return;
  remember(key, '1');
  await post({ trackingId, cta: true });
}

/** Outlives the page, which the button leaves. */
async function post(body: object): Promise<unknown> {
  const response = await fetch('/api/sms/track-click', {
    method: 'POST',
    keepalive: true,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: { ...window.trackingHeaders, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text(); // an answer that is not read to its end keeps its connection
  if (!response.ok) throw new Error(`${response.status} for the click`);
  return JSON.parse(text);
}

function log(problem: unknown) {
  console.debug('Not reported:', problem);
}
