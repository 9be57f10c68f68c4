import type { APIRequestContext, Page } from '@playwright/test';
import { testOnOwnServer } from './ownServer';
import {
  deliver,
  notifications,
  startPushService,
  subscribeAtStandIn,
  vapidSettings,
  type Subscription,
} from './pushService';
import { newSession } from './staff';
import { enter, expect, openYourEntry } from './test';

type PushService = Awaited<ReturnType<typeof startPushService>>;

const settings = vapidSettings();
const test = testOnOwnServer(settings).extend<object, { pushService: PushService }>({
  pushService: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from it which fixtures are needed
    async ({}, use) => {
      const service = await startPushService(settings.VAPID_PUBLIC_KEY);
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
});

const ARRIVES = { timeout: 30_000 };
const tellMe = (page: Page) => page.getByRole('button', { name: 'Tell me when it is drawn' });
const stopTelling = (page: Page) => page.getByRole('button', { name: 'Stop telling me' });

/** Enters a raffle of its own, so that only this test's drawings are told of, and asks to be told. */
async function askToBeTold(page: Page, raffle: string, subscription: Subscription) {
  await subscribeAtStandIn(page, subscription);
  await enter(page, `/${raffle}`);
  const id = Number(page.url().split('/').at(-1));
  await openYourEntry(page);
  await tellMe(page).click();
  await expect(page.getByText('This browser tells you when it is drawn.')).toBeVisible();
  return id;
}

async function draw(page: Page, landingPage: string): Promise<number> {
  const answer = await page.request.post('/api/admin/drawing/perform', {
    headers: { Authorization: `Bearer ${await newSession(page)}` },
    data: { landingPage },
  });
  expect(answer.status()).toBe(201);
  const { id } = (await answer.json()) as { id: number };
  return id;
}

async function addBrowser(request: APIRequestContext, userId: number, added: Subscription) {
  const { endpoint, keys } = added;
  const data = { userId, endpoint, keys };
  expect((await request.post('/api/push/subscriptions', { data })).status()).toBe(204);
}

test('a browser is told of a drawing, and shows it', async ({ page, pushService }) => {
  const subscription = await pushService.subscribe();
  await askToBeTold(page, 'garden-bag', subscription);
  const drawing = await draw(page, 'garden-bag');
  const arrived = () => pushService.messagesTo(subscription);
  await expect.poll(arrived, ARRIVES).toHaveLength(1);
  const [message] = await arrived();
  const payload = message?.payload ?? '';
  expect(message).toEqual({
    subscription: subscription.id,
    status: 201,
    topic: `drawing-${drawing}`,
    ttl: expect.any(Number),
    urgency: 'normal',
    vapid: { sub: settings.VAPID_SUBJECT, aud: pushService.url },
    payload,
  });
  expect(message?.ttl).toBeGreaterThan(23 * 3600);
  expect(message?.ttl).toBeLessThanOrEqual(24 * 3600);
  expect(JSON.parse(payload)).toEqual({
    title: 'The raffle was drawn',
    body: expect.stringContaining('Garden Bag Essentials'),
    url: `/drawings/${drawing}`,
  });

  // Chromium sometimes shows nothing of a message that DevTools deliver. A second one takes the place of the first.
  await expect(async () => {
    await deliver(page, payload);
    await expect.poll(() => notifications(page)).toEqual([JSON.parse(payload)]);
  }).toPass(ARRIVES);
});

test('a browser that unsubscribed is told no more, and others still are', async ({
  page,
  own,
  pushService,
}) => {
  const [ended, other] = [await pushService.subscribe(), await pushService.subscribe()];
  const userId = await askToBeTold(page, 'fresh-sips', ended);
  await addBrowser(page.request, userId, other);
  await pushService.end(ended);
  for (const drawings of [1, 2]) {
    await draw(page, 'fresh-sips');
    await expect.poll(() => pushService.messagesTo(other), ARRIVES).toHaveLength(drawings);
    const isActive = `SELECT is_active FROM push_subscriptions WHERE endpoint = '${ended.endpoint}'`;
    await expect.poll(() => own.query(isActive), ARRIVES).toEqual([{ is_active: false }]);
  }
  const refused = await pushService.messagesTo(ended);
  expect(refused.map(({ status }) => status)).toEqual([410]);
  await expect.poll(() => own.query('SELECT id FROM push_deliveries'), ARRIVES).toEqual([]);
});

test('a message that is not taken comes later, once', async ({ page, own, pushService }) => {
  const subscription = await pushService.subscribe();
  await askToBeTold(page, 'kitchen-garden', subscription);
  await pushService.fail({ status: 503, retryAfter: 3600 });
  await draw(page, 'kitchen-garden');
  const waiting = () =>
    own.query("SELECT attempts FROM push_deliveries WHERE due_at > now() + interval '50 minutes'");
  await expect.poll(waiting, ARRIVES).toEqual([{ attempts: 1 }]);
  await own.query('UPDATE push_deliveries SET due_at = now()');
  const statuses = async () =>
    (await pushService.messagesTo(subscription)).map(({ status }) => status);
  await expect.poll(statuses, ARRIVES).toEqual([503, 201]);
  await expect.poll(() => own.query('SELECT id FROM push_deliveries'), ARRIVES).toEqual([]);
  expect(await statuses()).toEqual([503, 201]);
});

test('stopping ends the subscription', async ({ page, own, pushService }) => {
  const subscription = await pushService.subscribe();
  await askToBeTold(page, 'sustainable-living', subscription);
  const stored = () =>
    own.query(`SELECT id FROM push_subscriptions WHERE endpoint = '${subscription.endpoint}'`);
  expect(await stored()).toHaveLength(1);
  await stopTelling(page).click();
  await expect(tellMe(page)).toBeVisible();
  expect(await stored()).toEqual([]);
  const workers = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  expect(await workers()).toBe(0);
});
