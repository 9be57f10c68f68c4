import { newEventId } from '../../../shared/lib/eventId';
import { SHARE_COUNTED, type Tracked } from '../../lib/tracked';
import { whenSeen } from '../../lib/whenSeen';
import { fingerprint } from './fingerprint';
import { PageTime } from './pageTime';
import { oncePerSession, sessionId } from './session';

/** A page by the name under which it is counted. */
export interface TrackedPage {
  name: string;
  referralCode?: string | undefined;
  /** Of the page behind a text's link. */
  smsTrackingId?: string | undefined;
}

/** A custom event goes by its name, any other by its kind. */
export type EventName =
  Exclude<Tracked['kind'], 'custom'> | Extract<Tracked, { kind: 'custom' }>['name'];

/** Is told what happened, but not who did it. */
export type Listener = (name: EventName, eventId?: string) => void;

interface Options {
  /** The page at the address of the moment. */
  currentPage: () => TrackedPage | undefined;
  listener: Listener;
}

/** Counts what visitors do. Whatever fails is only logged: nobody's entry depends on it. */
export async function startTracking({ currentPage, listener }: Options): Promise<void> {
  const session = sessionId();
  const headers: Record<string, string> = { 'X-Analytics-Session': session };
  window.trackingHeaders = headers;
  const print = await fingerprint();
  headers['X-Analytics-Fingerprint'] = print;

  let page = currentPage();
  const time = new PageTime((timeSpent) => {
    if (page) beacon({ ...bodyOf(page), timeSpent });
  });
  const bodyOf = ({ name, referralCode, smsTrackingId }: TrackedPage) => ({
    page: name,
    ...(referralCode && { referralCode }),
    ...(smsTrackingId && { smsTrackingId }),
    sessionId: session,
    fingerprint: print,
  });

  function view() {
    if (!page) return;
    const body = bodyOf(page);
    once(`view ${body.page} ${body.referralCode ?? ''}`, () => post('page-view', body));
    listener('page_view');
  }

  function step(name: 'formStart' | 'formSubmit', element: EventTarget | null) {
    const form = element instanceof Element && element.closest('form');
    const landingPage = form && form.dataset.landingPage;
    if (!landingPage) return;
    const stepData = page && { page: page.name, referred: page.referralCode !== undefined };
    const body = { sessionId: session, landingPage, step: name, stepData };
    once(`${name} ${landingPage}`, () => post('funnel-step', body));
  }

  function handle(event: Tracked) {
    switch (event.kind) {
      case 'page_view':
        time.turn();
        page = currentPage();
        return view();
      case 'custom':
        report({ kind: 'custom', name: event.name });
        return listener(event.name);
      case 'lead_capture':
        report({ kind: 'lead_capture' });
        return listener(event.kind, event.eventId);
      case 'sms_click':
        return listener(event.kind);
      case 'sign_up':
      case 'purchase':
        return listener(event.kind, event.eventId);
      case 'referral_share': {
        const { platform, userId, referralCode } = event;
        const eventId = newEventId();
        const body = { platform, userId, referralCode, event_id: eventId };
        // May be sent again when no answer came: the server knows the id of the last share.
        const send = () => post('social-share', body);
        send()
          .catch(send)
          .then(() => dispatchEvent(new Event(SHARE_COUNTED)))
          .catch(log);
        return listener('referral_share', eventId);
      }
    }
  }

  /** Counted, and not stored. */
  function report(event: { kind: 'lead_capture' | 'custom'; name?: string }) {
    post('event', event).catch(log);
  }

  whenSeen(view);
  const early = window.tracked;
  window.tracked = { push: handle };
  if (Array.isArray(early)) (early as Tracked[]).forEach(handle);

  // At the window and on the way down, so that they count before the boot script or React answers them.
  addEventListener('focusin', ({ target }) => step('formStart', target), true);
  addEventListener('submit', ({ target }) => step('formSubmit', target), true);
  step('formStart', document.activeElement); // what was touched before this script was there
  if (window.early?.held) step('formSubmit', document.querySelector('form'));
}

function once(key: string, report: () => Promise<void>) {
  oncePerSession(key, report).catch(log);
}

/** Outlives the page, as the beacon does, but says whether it arrived. */
async function post(call: string, body: object): Promise<void> {
  const response = await fetch(`/api/analytics/${call}`, {
    method: 'POST',
    keepalive: true,
    headers: { ...window.trackingHeaders, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text(); // an answer that is not read to its end keeps its connection
  if (!response.ok) throw new Error(`${response.status} for ${call}`);
}

function beacon(body: object) {
  if (!navigator.sendBeacon('/api/analytics/page-view', JSON.stringify(body))) {
    log('the browser refused the beacon');
  }
}

function log(problem: unknown) {
  console.debug('Not tracked:', problem);
}
