import { generateKeyPairSync } from 'node:crypto';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { startStandIn } from './standIn';

/** What a browser gets from its push service. */
export interface Subscription {
  id: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** What arrived at the push service. */
interface PushMessage {
  subscription: string;
  /** Decrypted; missing if the message was refused. */
  payload?: string;
  topic: string;
  ttl: number;
  urgency: string;
  vapid: { sub: string; aud: string };
  status: number;
  reason?: string;
}

/** The key pair of a server, as its settings. */
export function vapidSettings() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y, d } = privateKey.export({ format: 'jwk' }) as Record<'x' | 'y' | 'd', string>;
  const point = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return {
    VAPID_PUBLIC_KEY: Buffer.concat(point).toString('base64url'),
    VAPID_PRIVATE_KEY: d,
    VAPID_SUBJECT: 'mailto:hello@tombola.example',
  };
}

/** The stand-in for the push services of browsers: scripts/stand-ins/push-stand-in.mjs. */
export async function startPushService(applicationServerKey: string) {
  const script = resolve('../scripts/stand-ins/push-stand-in.mjs');
  const { url, control, stop } = await startStandIn<unknown>(process.execPath, [script]);
  return {
    url,
    stop,
    /** A subscription to which only the owner of the key may send. */
    subscribe: () => control('subscriptions', { applicationServerKey }) as Promise<Subscription>,
    end: ({ id }: Subscription) => control(`subscriptions/${id}/end`),
    fail: (failure: { status: number; retryAfter?: number }) => control('failures', failure),
    messagesTo: async ({ id }: Subscription) => {
      const messages = (await (await fetch(`${url}/control/messages`)).json()) as PushMessage[];
      return messages.filter(({ subscription }) => subscription === id);
    },
  };
}

/** The browser cannot reach the push service of its maker in tests: it subscribes at the stand-in in its place. */
export async function subscribeAtStandIn(page: Page, { endpoint, keys }: Subscription) {
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(
    (made) => {
      let current: object | null = null;
      const subscribe = (options: PushSubscriptionOptionsInit) => {
        const unsubscribe = () => {
          current = null;
          return Promise.resolve(true);
        };
        current = { endpoint: made.endpoint, options, unsubscribe, toJSON: () => made };
        return Promise.resolve(current);
      };
      const getSubscription = () => Promise.resolve(current);
      Object.assign(PushManager.prototype, { subscribe, getSubscription });
    },
    { endpoint, keys },
  );
}

/** Hands a payload to the page's service worker, as the browser does when a message arrives. */
export async function deliver(page: Page, data: string) {
  // A message for a worker that is not active yet would be lost.
  await page.waitForFunction(async () => {
    const { active } = await navigator.serviceWorker.ready;
    return active?.state === 'activated';
  });
  const chromium = await page.context().newCDPSession(page);
  const origin = new URL(page.url()).origin;
  const registrationId = new Promise<string>((found) => {
    chromium.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (ours) found(ours.registrationId);
    });
  });
  await chromium.send('ServiceWorker.enable');
  await chromium.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await registrationId,
    data,
  });
  await chromium.detach();
}

/** What the browser shows. */
export const notifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, data }) => ({ title, body, url: String(data) }));
  });
