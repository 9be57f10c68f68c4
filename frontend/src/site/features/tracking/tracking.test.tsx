import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SHARE_COUNTED, track } from '../../lib/tracked';
import { endListenersWithTheTest } from '../../../testing/listeners';
import { server } from '../../../testing/server';
import type { Listener, TrackedPage } from './tracking';

interface Call {
  path: string;
  headers: Headers;
  body: Record<string, unknown>;
}

let calls: Call[];
let beacons: Record<string, unknown>[];
let page: TrackedPage;
let listener: ReturnType<typeof vi.fn<Listener>>;

endListenersWithTheTest();

beforeEach(() => {
  calls = [];
  beacons = [];
  page = { name: 'garden-bag' };
  listener = vi.fn<Listener>();
  sessionStorage.clear();
  document.body.innerHTML = '';
  delete window.tracked;
  delete window.trackingHeaders;
  see('visible');
  vi.useFakeTimers({ toFake: ['performance'] });
  const sendBeacon = (address: string, body: string) => {
    expect(address).toBe('/api/analytics/page-view');
    beacons.push(JSON.parse(body) as Record<string, unknown>);
    return true;
  };
  Object.assign(navigator, { sendBeacon });
  server.use(
    http.post('*/api/analytics/:call', async ({ request, params }) => {
      const body = (await request.json()) as Call['body'];
      calls.push({ path: String(params.call), headers: request.headers, body });
      return HttpResponse.json({ success: true });
    }),
  );
});

/** As a fresh page does. */
async function start() {
  vi.resetModules();
  const { startTracking } = await import('./tracking');
  await startTracking({ currentPage: () => page, listener });
}

function see(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000);
const called = (path: string) => calls.filter((call) => call.path === path);
const callsSettle = (count: number) => vi.waitFor(() => expect(calls).toHaveLength(count));

describe('a page view', () => {
  it('is reported with session and fingerprint', async () => {
    page = { name: 'fresh-sips', referralCode: 'CDFG3467' };
    await start();
    await callsSettle(1);
    const [{ path, headers, body }] = calls as [Call];
    expect(path).toBe('page-view');
    expect(body).toEqual({
      page: 'fresh-sips',
      referralCode: 'CDFG3467',
      sessionId: expect.stringMatching(/^[0-9a-f]{8}-/) as string,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(headers.get('X-Analytics-Session')).toBe(body.sessionId);
    expect(headers.get('X-Analytics-Fingerprint')).toBe(body.fingerprint);
    expect(window.trackingHeaders).toEqual({
      'X-Analytics-Session': body.sessionId,
      'X-Analytics-Fingerprint': body.fingerprint,
    });
  });

  it('of the page behind a text has the id of its link', async () => {
    page = { name: 'planter-garden', smsTrackingId: 'garden-2345bcdfghjkm' };
    await start();
    pass(7);
    see('hidden');
    await callsSettle(1);
    const expected = { page: 'planter-garden', smsTrackingId: 'garden-2345bcdfghjkm' };
    expect(calls[0]?.body).toMatchObject(expected);
    expect(beacons).toEqual([expect.objectContaining(expected)]);
  });

  it('counts once in a session, and again with another code', async () => {
    await start();
    await callsSettle(1);
    await start();
    page = { name: 'garden-bag', referralCode: 'CDFG3467' };
    await start();
    await callsSettle(2);
    await start();
    expect(called('page-view').map(({ body }) => body.referralCode)).toEqual([
      undefined,
      'CDFG3467',
    ]);
    expect(new Set(calls.map(({ body }) => body.sessionId)).size).toBe(1);
  });

  it('waits until the page is seen', async () => {
    see('hidden');
    await start();
    expect(listener).not.toHaveBeenCalled();
    see('visible');
    await callsSettle(1);
  });

  it('of the next screen counts too', async () => {
    await start();
    page = { name: 'garden-bag-success' };
    track({ kind: 'page_view' });
    await callsSettle(2);
    expect(calls.map(({ body }) => body.page)).toEqual(['garden-bag', 'garden-bag-success']);
  });

  it('that failed is only logged, and the next page tries again', async () => {
    const log = vi.spyOn(console, 'debug').mockImplementation(() => {});
    server.use(
      http.post('*/api/analytics/page-view', () => new HttpResponse('', { status: 503 }), {
        once: true,
      }),
    );
    await start();
    await vi.waitFor(() => expect(log).toHaveBeenCalled());
    await start();
    await callsSettle(1);
  });
});

describe('the time on a page', () => {
  it('is sent by a beacon when the page is left, and only what was not sent yet', async () => {
    await start();
    pass(7);
    see('hidden');
    dispatchEvent(new Event('pagehide'));
    see('visible');
    pass(10);
    see('hidden');
    expect(beacons).toEqual([
      expect.objectContaining({ page: 'garden-bag', timeSpent: 7 }),
      expect.objectContaining({ page: 'garden-bag', timeSpent: 10 }),
    ]);
    expect(beacons[0]?.sessionId).toBe(window.trackingHeaders?.['X-Analytics-Session']);
  });

  it('counts only while the page is seen', async () => {
    await start();
    pass(6);
    see('hidden');
    pass(600);
    see('visible');
    pass(6);
    dispatchEvent(new Event('pagehide'));
    expect(beacons.map(({ timeSpent }) => timeSpent)).toEqual([6, 6]);
  });

  it('of five seconds and less is kept, and counts with what follows', async () => {
    await start();
    pass(5);
    see('hidden');
    expect(beacons).toEqual([]);
    see('visible');
    pass(1);
    see('hidden');
    expect(beacons.map(({ timeSpent }) => timeSpent)).toEqual([6]);
  });

  it('of half an hour and more was not spent on the page', async () => {
    await start();
    pass(1_800);
    see('hidden');
    see('visible');
    pass(1_799);
    see('hidden');
    expect(beacons.map(({ timeSpent }) => timeSpent)).toEqual([1_799]);
  });

  it('goes on when the browser brings a page back that it kept', async () => {
    await start();
    pass(8);
    dispatchEvent(new Event('pagehide'));
    pass(60);
    dispatchEvent(new Event('pageshow'));
    pass(9);
    dispatchEvent(new Event('pagehide'));
    expect(beacons.map(({ timeSpent }) => timeSpent)).toEqual([8, 9]);
  });

  it('ends with the screen, however short it was', async () => {
    await start();
    pass(2);
    page = { name: 'garden-bag-success' };
    track({ kind: 'page_view' });
    pass(6);
    see('hidden');
    expect(beacons).toEqual([
      expect.objectContaining({ page: 'garden-bag', timeSpent: 2 }),
      expect.objectContaining({ page: 'garden-bag-success', timeSpent: 6 }),
    ]);
  });
});

describe('the steps of the form', () => {
  const form = () => document.querySelector('form')!;
  beforeEach(() => {
    document.body.innerHTML =
      '<form data-landing-page="kitchen-garden"><input></form><form id="other"><input></form>';
  });

  it('are its first touch and its submit, once each, with the page they were taken on', async () => {
    page = { name: 'generic', referralCode: 'CDFG3467' };
    await start();
    for (const input of document.querySelectorAll('input')) input.focus();
    form().querySelector('input')?.focus();
    for (let i = 0; i < 2; i += 1) form().dispatchEvent(new Event('submit', { bubbles: true }));
    await callsSettle(3);
    const sessionId = window.trackingHeaders?.['X-Analytics-Session'];
    const stepData = { page: 'generic', referred: true };
    expect(called('funnel-step').map(({ body }) => body)).toEqual([
      { sessionId, landingPage: 'kitchen-garden', step: 'formStart', stepData },
      { sessionId, landingPage: 'kitchen-garden', step: 'formSubmit', stepData },
    ]);
  });

  it('count also when they came before this script', async () => {
    form().querySelector('input')?.focus();
    window.early = { held: true, release: () => {} };
    await start();
    window.early = undefined;
    await callsSettle(3);
    expect(called('funnel-step').map(({ body }) => body.step)).toEqual(['formStart', 'formSubmit']);
  });
});

describe('what the page tells', () => {
  const share = {
    kind: 'referral_share',
    platform: 'sms',
    userId: 7,
    referralCode: 'ABCD2345',
  } as const;

  it('a share is reported each time, with an id of its own', async () => {
    await start();
    track(share);
    track(share);
    await callsSettle(3);
    const bodies = called('social-share').map(({ body }) => body);
    expect(bodies[0]).toEqual({
      platform: 'sms',
      userId: 7,
      referralCode: 'ABCD2345',
      event_id: expect.stringMatching(/^[a-z0-9]{12}$/) as string,
    });
    expect(bodies[1]?.event_id).not.toBe(bodies[0]?.event_id);
  });

  it('is heard also when it was told before this script was there', async () => {
    track({ kind: 'sign_up', eventId: 'abc123abc123' });
    track(share);
    await start();
    await callsSettle(2);
    expect(called('social-share')).toHaveLength(1);
  });

  it('is passed on without saying who it was', async () => {
    await start();
    track({ kind: 'sms_click' });
    track({ kind: 'sign_up', eventId: 'abc123abc123' });
    track({ kind: 'lead_capture', eventId: 'def456def456' });
    track({ kind: 'custom', name: 'packages_shown' });
    track(share);
    await callsSettle(4);
    const [shared] = called('social-share');
    expect(called('event').map(({ body }) => body)).toEqual([
      { kind: 'lead_capture' },
      { kind: 'custom', name: 'packages_shown' },
    ]);
    expect(listener.mock.calls).toEqual([
      ['page_view'],
      ['sms_click'],
      ['sign_up', 'abc123abc123'],
      ['lead_capture', 'def456def456'],
      ['packages_shown'],
      ['referral_share', shared?.body.event_id],
    ]);
  });

  it('a share is said to be counted once the server has answered', async () => {
    const counted = vi.fn();
    addEventListener(SHARE_COUNTED, counted);
    await start();
    track(share);
    expect(counted).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(counted).toHaveBeenCalledTimes(1));
  });

  it('a share that got no answer is reported once more, with the same id', async () => {
    const counted = vi.fn();
    addEventListener(SHARE_COUNTED, counted);
    await start();
    let lost: unknown;
    const lose = http.post(
      '*/api/analytics/social-share',
      async ({ request }) => {
        lost = await request.json();
        return HttpResponse.error();
      },
      { once: true },
    );
    server.use(lose);
    track(share);
    await vi.waitFor(() => expect(counted).toHaveBeenCalledTimes(1));
    expect(called('social-share').map(({ body }) => body)).toEqual([lost]);
  });

  it('a share that failed twice is only logged', async () => {
    const log = vi.spyOn(console, 'debug').mockImplementation(() => {});
    const counted = vi.fn();
    addEventListener(SHARE_COUNTED, counted);
    await start();
    server.use(http.post('*/api/analytics/social-share', () => HttpResponse.error()));
    track(share);
    await vi.waitFor(() => expect(log).toHaveBeenCalled());
    expect(counted).not.toHaveBeenCalled();
  });
});
