import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from '@playwright/test';
import { violations } from './axe';
import { MARK, cards, standInForStripe } from './stripeStandIn';
import { stripeKeys, test } from './shop';
import { onThisDatabase, startServer } from './server';
import { alive, enter, expect, layoutShift, themes, tile, toast } from './test';

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

const userOf = (page: Page) => new URL(page.url()).pathname.split('/').pop() ?? '';

async function expectBought(page: Page, entries: number, total: number) {
  await expect(toast(page)).toContainText('Purchase successful!');
  await expect(toast(page)).toContainText(
    `${entries} additional entries have been added to your account.`,
  );
  await expect(dialog(page)).toHaveCount(0);
  await expect(tile(page, 'Total Entries')).toHaveText(String(total));
  await expect(tile(page, 'Bonus Entries')).toHaveText(String(total - 1));
}

test(
  'a purchase adds its entries, and a double click pays once',
  { tag: '@main' },
  async ({ page, shop }) => {
    await open(page, 50);
    await expect(dialog(page)).toContainText('Better Pack');
    await expect(dialog(page)).toContainText('$19.99');
    await expect(dialog(page).getByText('51', { exact: true })).toBeVisible();
    await cardField(page).fill(cards.good);
    await payButton(page).dblclick();
    await expectBought(page, 50, 51);
    expect(await shop.purchasesOf(userOf(page))).toEqual(['completed 50']);
    await expect(buyButton(page, 50)).toBeFocused();
  },
);

test('the free way is as easy, once a day, and the odds follow', async ({ page }) => {
  await enter(page, '/garden-bag');
  const odds = block(page).getByText(/^Your odds now:/);
  await expect(odds).toContainText('(1 of ');
  const button = page.getByRole('button', { name: /^Get [\d,]+ free entries$/ });
  // How many depends on the dates that are left of the month.
  const given = Number((await button.textContent())!.replace(/\D/g, ''));
  await button.dblclick();
  const inWords = (count: number) => count.toLocaleString('en-US');
  // On the last date it is all that one person can get.
  await expect(block(page)).toContainText(/[\d,]+ entries added\. (Come back t|You have all)/);
  await expect(block(page)).toContainText(`${inWords(given)} entries added.`);
  await expect(tile(page, 'Total Entries')).toHaveText(inWords(given + 1));
  await expect(odds).toContainText(`(${inWords(given + 1)} of `);
  await page.reload();
  const none = page.getByRole('button', { name: 'No free entries left today' });
  await expect(none).toHaveAttribute('aria-disabled', 'true');
  expect(await violations(page)).toEqual([]);
});

test('nothing of it loads before it is needed', async ({ page, shop, baseURL }) => {
  const loaded: string[] = [];
  page.on('request', (request: Request) => loaded.push(request.url()));
  const files = (pattern: RegExp) => loaded.filter((url) => pattern.test(url));
  await shop.show(false);
  await enter(page, '/fresh-sips');
  await page.waitForLoadState('networkidle');
  expect(files(/purchase|stripe/)).toEqual([]);
  const address = page.url();
  await page.goto('about:blank'); // an open page would see the switch by itself, and load the file before the reload
  await shop.show(true);
  await page.goto(address);
  await expect(block(page)).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(files(/purchase|stripe/)).toEqual([expect.stringMatching(/\/assets\/purchase\.\w+\.js$/)]);
  await buyButton(page).click();
  await expect(payButton(page)).not.toHaveAttribute('aria-disabled');
  expect(files(/purchase-dialog/)).toHaveLength(1);
  expect(loaded.filter((url) => !url.startsWith(baseURL ?? ''))).toEqual([
    expect.stringMatching(/^https:\/\/js\.stripe\.com\/\w+\/stripe\.js$/),
    expect.stringMatching(/^https:\/\/js\.stripe\.com\/browser\/fields/),
  ]);
});

test('no built file holds the stand-in, and only the dialog names the provider', () => {
  const built = readdirSync('dist', { recursive: true, encoding: 'utf8' });
  const files = built.filter((file) => /\.(js|css|html|json)$/.test(file));
  const holding = (text: string) =>
    files.filter((file) => readFileSync(join('dist', file), 'utf8').includes(text));
  expect(files.length).toBeGreaterThan(30);
  expect(readFileSync('../crates/testing/stand-ins/browser/stripe.js', 'utf8')).toContain(MARK);
  expect(holding(MARK)).toEqual([]);
  expect(holding('/browser/stripe.js')).toEqual([]);
  expect(holding('demo-banner')).toEqual([]);
  expect(holding('js.stripe.com')).toEqual([
    expect.stringMatching(/^assets\/purchase-dialog\.\w+\.js$/),
  ]);
});

test('a declined card can be followed by one that works', async ({ page, shop }) => {
  await open(page);
  await payWith(page, cards.declined);
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Payment failed: Your card was declined.',
  );
  await expect(cardField(page)).toHaveValue(cards.declined); // the form is still the same one
  await expect(payButton(page)).toBeFocused();
  await payWith(page, cards.good);
  await expectBought(page, 10, 11);
  expect(await shop.purchasesOf(userOf(page))).toEqual(['completed 10']);
});

test('Cancel and Escape close it, and the next purchase starts over', async ({ page, shop }) => {
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
  expect(await shop.purchasesOf(userOf(page))).toEqual(['pending 10', 'pending 10']);
});

test("the issuer's question can be answered, and the page under it cannot be reached", async ({
  page,
}) => {
  await open(page);
  await payWith(page, cards.asked);
  await bank(page).getByRole('button', { name: 'No' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Payment failed: An unexpected error occurred.',
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

test("returning from the provider's pages gives the entries, and a clean address", async ({
  page,
}) => {
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
  shop,
}) => {
  const { control } = shop.provider;
  const confirming = '**/api/confirm-payment';
  await control('webhooks', { hold: true });
  await open(page);
  await page.route(confirming, (route) => route.abort());
  await payWith(page, cards.good);
  await expect(dialog(page).getByRole('alert')).toContainText('Purchase confirmation failed');
  await page.reload();
  await expect(page.getByText("We're checking your payment.")).toBeVisible();
  await expect(tile(page, 'Total Entries')).toHaveText('1');
  await control('webhooks/deliver');
  await control('webhooks', { hold: false });
  await expect(tile(page, 'Total Entries')).toHaveText('11', { timeout: 20_000 }); // asked ever less often
  await page.unroute(confirming);
  await expect(toast(page)).toContainText('Purchase successful!', { timeout: 40_000 });
  expect(await shop.purchasesOf(userOf(page))).toEqual(['completed 10']);
});

test('a blocked script shows an error, and can be tried again', async ({ page }) => {
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

test('the switch takes effect on open pages', async ({ page, shop }) => {
  await enter(page, '/kitchen-garden');
  await expect(block(page)).toBeVisible();
  await shop.show(false);
  await expect(block(page)).toHaveCount(0, { timeout: 15_000 }); // asked every 10 s
  await shop.show(true);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(block(page)).toBeVisible();
});

test('two tabs are two purchases', async ({ page, context, shop }) => {
  await open(page);
  const second = await context.newPage();
  await second.goto(page.url());
  await buyButton(second, 50).click();
  await payWith(second, cards.good);
  await expectBought(second, 50, 51);
  await page.bringToFront();
  await payWith(page, cards.good);
  await expectBought(page, 10, 61);
  expect(await shop.purchasesOf(userOf(page))).toEqual(['completed 10', 'completed 50']);
});

test('it can all be done by keyboard', async ({ page }) => {
  await enter(page, '/sustainable-living');
  await buyButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(payButton(page)).not.toHaveAttribute('aria-disabled');
  await page.keyboard.press('Tab');
  await page.keyboard.type(cards.good);
  await expect(cardField(page)).toHaveValue(cards.good);
  const offered = Object.keys(cards).length; // each has a button of its own there
  for (let n = 0; n <= offered; n += 1) await page.keyboard.press('Tab');
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(payButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectBought(page, 10, 11);
});

test('nothing moves, however late the packages come', async ({ page }) => {
  let answered = Promise.resolve();
  await page.route('**/api/entry-packages', async (route) => {
    await answered;
    await route.continue();
  });
  await enter(page, '/garden-bag');
  const id = userOf(page);
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    for (const path of [...themes.map(({ key }) => `/${key}/success/${id}`), `/success/${id}`]) {
      let answer = () => {};
      answered = new Promise<void>((resolve) => (answer = resolve));
      await page.goto(path);
      await expect(page.getByLabel('Your referral link')).toBeVisible();
      await page.mouse.move(4, 4); // React asks for them
      answer();
      await expect(block(page)).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(await layoutShift(page), `${path} at ${viewport.width}`).toBe(0);
    }
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, and nothing is too wide, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 320, height: 640 });
    await enter(page, '/garden-bag');
    const id = userOf(page);
    for (const path of [...themes.map(({ key }) => `/${key}/success/${id}`), `/success/${id}`]) {
      await page.goto(path);
      await alive(page);
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
  shop,
}) => {
  const server = await startServer({
    ...onThisDatabase(shop.databaseUrl),
    ADS_PIXEL_ID: '123456',
    STRIPE_API_BASE: shop.provider.url,
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
  await standInForStripe(context, shop.provider);
  const page = await context.newPage();
  await open(page);
  await payWith(page, cards.good);
  await expectBought(page, 10, 11);
  const named = (name: string) =>
    calls.filter(([method, event]) => method === 'track' && event === name);
  await expect
    .poll(() => named('Purchase'))
    .toEqual([['track', 'Purchase', {}, { eventID: expect.any(String) as unknown }]]);
  expect(named('ViewContent')).toEqual([['track', 'ViewContent', {}, {}]]);
  expect(JSON.stringify(calls)).not.toMatch(/pi_|secret|Pack/);
  await context.close();
  await server.stop();
});
