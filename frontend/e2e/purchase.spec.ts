import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page, Request } from '@playwright/test';
import { violations } from './axe';
import { testOnOwnServer } from './ownServer';
import { startServer } from './server';
import { MARK, cards, standInForStripe } from './stripeStandIn';
import { enter, expect, layoutShift, themes, tile, toast } from './test';

// With keys, so that the provider's script, frames and calls are allowed. Nobody asks the provider itself.
const stripeKeys = {
  STRIPE_SECRET_KEY: 'sk_test_purchase',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_purchase',
  STRIPE_WEBHOOK_SECRET: 'whsec_purchase',
};
const test = testOnOwnServer(stripeKeys);

const somePackages = [
  ['Starter Pack', 10, 500],
  ['Better Pack', 50, 1999],
  ['Mega Pack', 300, 4999],
].map(([name, entries, price], index) => ({
  id: index + 1,
  name,
  description: 'More tickets in the drum, for every drawing to come.',
  entries,
  entryCount: entries,
  price,
  priceInCents: price,
  isPopular: index === 1,
  isActive: true,
  sortOrder: index,
  createdAt: '2026-11-01T12:00:00Z',
}));

interface Sale {
  entries: number;
  isPaid: boolean;
  isCredited: boolean;
}

/** Answers the calls of buying as the server does, for everybody in this context. */
async function sell(context: BrowserContext) {
  const shop = {
    showPricing: true,
    /** Before it says what it sells. */
    beforeOffer: Promise.resolve(),
    canConfirm: true,
    intents: 0,
    confirms: 0,
  };
  const sales = new Map<string, Sale>();
  const credited = () =>
    [...sales.values()].reduce(
      (sum, { entries, isCredited }) => sum + (isCredited ? entries : 0),
      0,
    );

  await context.route('**/api/entry-packages', async (route) => {
    await shop.beforeOffer;
    await route.fulfill({
      json: {
        packages: somePackages,
        showPricing: shop.showPricing,
        publishableKey: stripeKeys.STRIPE_PUBLISHABLE_KEY,
      },
    });
  });
  await context.route('**/api/users/*/stats', async (route) => {
    const answer = await route.fetch();
    const stats = (await answer.json()) as { totalEntries: number };
    const paidEntries = credited();
    await route.fulfill({
      json: { ...stats, paidEntries, totalEntries: stats.totalEntries + paidEntries },
    });
  });
  await context.route('**/api/stripe/create-payment-intent', async (route) => {
    const { entriesAdded: entries } = route.request().postDataJSON() as { entriesAdded: number };
    shop.intents += 1;
    const paymentIntentId = `pi_${shop.intents}`;
    sales.set(paymentIntentId, { entries, isPaid: false, isCredited: false });
    const eventId = `event${shop.intents}`;
    await route.fulfill({
      json: { paymentIntentId, clientSecret: `${paymentIntentId}_secret_x`, eventId },
    });
  });
  await context.route('**/api/confirm-payment', async (route) => {
    if (!shop.canConfirm) return route.abort();
    const { paymentIntentId } = route.request().postDataJSON() as { paymentIntentId: string };
    const sale = sales.get(paymentIntentId);
    shop.confirms += 1;
    if (!sale?.isPaid) {
      const json = { error: 'Payment confirmation failed', code: 'payment_not_confirmed' };
      return route.fulfill({ status: 409, json });
    }
    sale.isCredited = true;
    const eventId = paymentIntentId.replace('pi_', 'event');
    await route.fulfill({ json: { eventId, entriesAdded: sale.entries } });
  });
  await standInForStripe(context, {
    pay: (id) => {
      const sale = sales.get(id);
      if (sale) sale.isPaid = true;
    },
  });
  return { shop, sales };
}

const block = (page: Page) => page.getByRole('region', { name: 'Boost Your Chances' });
const buyButton = (page: Page, entries = 10) =>
  page.getByRole('button', { name: `Buy ${entries} entries` });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Complete Your Purchase' });
const payButton = (page: Page) => dialog(page).getByRole('button', { name: 'Complete Payment' });
const fields = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]');
const cardField = (page: Page) => fields(page).getByLabel('Card number');
const bank = (page: Page) => page.frameLocator('iframe[title="Your bank asks"]');

/** From a new entrant to the dialog with its form. */
async function open(page: Page, entries = 10) {
  await enter(page, '/garden-bag');
  await buyButton(page, entries).click();
  await expect(payButton(page)).not.toHaveAttribute('aria-disabled');
}

async function payWith(page: Page, card: string) {
  await cardField(page).fill(card);
  await payButton(page).click();
}

async function expectBought(page: Page, entries: number, total: number) {
  await expect(toast(page)).toContainText('Purchase successful!');
  await expect(toast(page)).toContainText(
    `${entries} additional entries have been added to your account.`,
  );
  await expect(dialog(page)).toHaveCount(0);
  await expect(tile(page, 'Total Entries')).toHaveText(String(total));
  await expect(tile(page, 'Bonus Entries')).toHaveText(String(total - 1));
}

test('a purchase adds its entries, and a double click pays once', async ({ page, context }) => {
  const { shop } = await sell(context);
  await open(page, 50);
  await expect(dialog(page)).toContainText('Better Pack');
  await expect(dialog(page)).toContainText('$19.99');
  await expect(dialog(page).getByText('51', { exact: true })).toBeVisible();
  await cardField(page).fill(cards.good);
  await payButton(page).dblclick();
  await expectBought(page, 50, 51);
  expect(shop).toMatchObject({ intents: 1, confirms: 1 });
  await expect(buyButton(page, 50)).toBeFocused();
});

test('nothing of it loads before it is needed', async ({ page, context, baseURL }) => {
  const loaded: string[] = [];
  page.on('request', (request: Request) => loaded.push(request.url()));
  const files = (pattern: RegExp) => loaded.filter((url) => pattern.test(url));
  const { shop } = await sell(context);
  shop.showPricing = false;
  await enter(page, '/fresh-sips');
  await page.waitForLoadState('networkidle');
  expect(files(/purchase|stripe/)).toEqual([]);
  shop.showPricing = true;
  await page.reload();
  await expect(block(page)).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(files(/purchase|stripe/)).toEqual([expect.stringMatching(/\/assets\/purchase\.\w+\.js$/)]);
  await buyButton(page).click();
  await expect(payButton(page)).not.toHaveAttribute('aria-disabled');
  expect(files(/purchase-dialog/)).toHaveLength(1);
  expect(loaded.filter((url) => !url.startsWith(baseURL ?? ''))).toEqual([
    expect.stringMatching(/^https:\/\/js\.stripe\.com\/\w+\/stripe\.js$/),
    expect.stringMatching(/^https:\/\/js\.stripe\.com\/fields/),
  ]);
});

test('no built file holds the stand-in, and only the dialog names the provider', () => {
  const assets = readdirSync('dist/assets').filter((file) => /\.(js|css)$/.test(file));
  const holding = (text: string) =>
    assets.filter((file) => readFileSync(join('dist/assets', file), 'utf8').includes(text));
  expect(assets.length).toBeGreaterThan(10);
  expect(holding(MARK)).toEqual([]);
  expect(holding('js.stripe.com')).toEqual([expect.stringMatching(/^purchase-dialog\./)]);
});

test('a declined card can be followed by one that works', async ({ page, context }) => {
  const { shop } = await sell(context);
  await open(page);
  await payWith(page, cards.declined);
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Payment failed: Your card was declined.',
  );
  await expect(cardField(page)).toHaveValue(cards.declined); // the form was not built anew
  await expect(payButton(page)).toBeFocused();
  await payWith(page, cards.good);
  await expectBought(page, 10, 11);
  expect(shop.intents).toBe(1);
});

test('Cancel and Escape close it, and the next purchase starts anew', async ({ page, context }) => {
  const { shop } = await sell(context);
  await open(page);
  await cardField(page).fill(cards.good);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(buyButton(page)).toBeFocused();
  await buyButton(page).press('Enter');
  await expect(cardField(page)).toHaveValue('');
  await expect(dialog(page).getByRole('heading')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(buyButton(page)).toBeFocused();
  await expect(tile(page, 'Total Entries')).toHaveText('1');
  expect(shop).toMatchObject({ intents: 2, confirms: 0 });
});

test("the issuer's question can be answered, and the page under it cannot be reached", async ({
  page,
  context,
}) => {
  await sell(context);
  await open(page);
  await payWith(page, cards.asked);
  await bank(page).getByRole('button', { name: 'No' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Payment failed: We could not authenticate your card.',
  );
  await payWith(page, cards.asked);
  await expect(bank(page).getByRole('heading', { name: 'Is it you?' })).toBeVisible();
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.getElementById('root')?.inert)).toBe(true);
  await bank(page).getByRole('button', { name: 'Yes, pay' }).click();
  await expectBought(page, 10, 11);
  expect(await page.evaluate(() => document.getElementById('root')?.inert)).toBe(false);
  await expect(buyButton(page)).toBeFocused();
});

test("who returns from the provider's pages has the entries, and a clean address", async ({
  page,
  context,
}) => {
  await sell(context);
  await open(page);
  const path = new URL(page.url()).pathname;
  await payWith(page, cards.redirected);
  await expectBought(page, 10, 11);
  await expect.poll(() => page.url()).toMatch(new RegExp(`${path}$`));
  await page.reload();
  await expect(tile(page, 'Total Entries')).toHaveText('11');
  await expect(toast(page)).toHaveCount(0);
});

test('a reload between paying and confirming still ends with the entries', async ({
  page,
  context,
}) => {
  const { shop, sales } = await sell(context);
  await open(page);
  shop.canConfirm = false;
  await payWith(page, cards.good);
  await expect(dialog(page).getByRole('alert')).toContainText('Purchase confirmation failed');
  await page.reload();
  await expect(page.getByText('We are checking your payment.')).toBeVisible();
  for (const sale of sales.values()) sale.isCredited = true; // by the webhook
  await expect(tile(page, 'Total Entries')).toHaveText('11');
  shop.canConfirm = true;
  await expectBought(page, 10, 11);
});

test('a blocked script says so, and can be tried again', async ({ page, context }) => {
  await sell(context);
  const script = 'https://js.stripe.com/*/stripe.js*';
  await page.route(script, (route) => route.abort());
  await enter(page, '/garden-bag');
  await buyButton(page).click();
  const alert = dialog(page).getByRole('alert');
  await expect(alert).toHaveText('Payment failed: Stripe failed to load');
  await expect(toast(page)).toContainText('Stripe failed to load');
  await page.unroute(script);
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await expect(payButton(page)).not.toHaveAttribute('aria-disabled');
  await expect(alert).toHaveCount(0);
  await payWith(page, cards.good);
  await expectBought(page, 10, 11);
});

test('the switch takes effect on open pages', async ({ page, context }) => {
  const { shop } = await sell(context);
  await enter(page, '/kitchen-garden');
  await expect(block(page)).toBeVisible();
  shop.showPricing = false;
  await expect(block(page)).toHaveCount(0, { timeout: 15_000 }); // asked every 10 s
  shop.showPricing = true;
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(block(page)).toBeVisible();
});

test('two tabs are two purchases', async ({ page, context }) => {
  const { shop } = await sell(context);
  await open(page);
  const second = await context.newPage();
  await second.goto(page.url());
  await buyButton(second, 50).click();
  await payWith(second, cards.good);
  await expectBought(second, 50, 51);
  await page.bringToFront();
  await payWith(page, cards.good);
  await expectBought(page, 10, 61);
  expect(shop).toMatchObject({ intents: 2, confirms: 2 });
});

test('it can all be done by keyboard', async ({ page, context }) => {
  await sell(context);
  await enter(page, '/sustainable-living');
  await buyButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(payButton(page)).not.toHaveAttribute('aria-disabled');
  await page.keyboard.press('Tab');
  await page.keyboard.type(cards.good);
  await expect(cardField(page)).toHaveValue(cards.good);
  await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(payButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectBought(page, 10, 11);
});

test('nothing moves, however late the packages come', async ({ page, context }) => {
  const { shop } = await sell(context);
  await enter(page, '/garden-bag');
  const id = page.url().split('/').pop() ?? '';
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    for (const path of [...themes.map(({ key }) => `/${key}/success/${id}`), `/success/${id}`]) {
      let answer = () => {};
      shop.beforeOffer = new Promise<void>((resolve) => (answer = resolve));
      await page.goto(path);
      await expect(page.getByLabel('Your referral link')).toBeVisible();
      answer();
      await expect(block(page)).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await layoutShift(page), `${path} at ${viewport.width}`).toBe(0);
    }
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, and nothing is too wide, ${colorScheme}`, async ({ page, context }) => {
    test.setTimeout(90_000);
    await sell(context);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 320, height: 640 });
    await enter(page, '/garden-bag');
    const id = page.url().split('/').pop() ?? '';
    for (const path of [...themes.map(({ key }) => `/${key}/success/${id}`), `/success/${id}`]) {
      await page.goto(path);
      await expect(block(page)).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await violations(page), path).toEqual([]);
      await buyButton(page, 300).click();
      await expect(payButton(page)).not.toHaveAttribute('aria-disabled');
      const ink = await dialog(page).evaluate((element) => getComputedStyle(element).color);
      await expect(fields(page).locator('body')).toHaveCSS('color', ink);
      await payWith(page, cards.declined);
      await expect(dialog(page).getByRole('alert')).toBeVisible();
      expect(await violations(page), `the dialog of ${path}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
      const width = await dialog(page).evaluate(
        (element) => element.scrollWidth - element.clientWidth,
      );
      expect(width, `the dialog of ${path}`).toBe(0);
    }
  });
}

test('with consent, the ads pixel learns what was shown and that something was bought', async ({
  browser,
  own,
}) => {
  const server = await startServer({
    DATABASE_URL: own.databaseUrl,
    ADS_PIXEL_ID: '123456',
    ...stripeKeys,
  });
  const context = await browser.newContext({ baseURL: server.origin });
  const calls: unknown[][] = [];
  await context.route('https://connect.facebook.net/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `const send = (...call) => {
          new Image().src = 'https://www.facebook.com/tr?call=' + encodeURIComponent(JSON.stringify(call));
        };
        fbq.queue.forEach((call) => send(...call));
        fbq.callMethod = send;`,
    }),
  );
  await context.route('https://www.facebook.com/**', (route) => {
    const call = new URL(route.request().url()).searchParams.get('call') ?? '[]';
    calls.push(JSON.parse(call) as unknown[]);
    return route.fulfill({ contentType: 'image/gif', body: '' });
  });
  await context.addInitScript((origin) => {
    if (location.origin === origin) localStorage.setItem('tombola.ads', 'accepted');
  }, server.origin);
  await sell(context);
  const page = await context.newPage();
  await open(page);
  await payWith(page, cards.good);
  await expectBought(page, 10, 11);
  const named = (name: string) =>
    calls.filter(([method, event]) => method === 'track' && event === name);
  await expect
    .poll(() => named('Purchase'))
    .toEqual([['track', 'Purchase', {}, { eventID: 'event1' }]]);
  expect(named('ViewContent')).toEqual([['track', 'ViewContent', {}, {}]]);
  expect(JSON.stringify(calls)).not.toMatch(/pi_|secret|Pack/);
  await context.close();
  await server.stop();
});
