import type { Page } from '@playwright/test';
import { alive, enter, expect, layoutShift, referralLink, successPaths, test, tile } from './test';

/** Keeps the application's files back until it is called. */
async function withoutApplication(page: Page) {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/assets/site.*.js', async (route) => {
    await arrival;
    await route.continue();
  });
  return arrive;
}

async function entered(page: Page): Promise<string> {
  await enter(page, '/garden-bag');
  const id = page.url().split('/').pop() ?? '';
  await page.goto('/contact'); // what that page asks for is not counted
  return id;
}

test(
  'figures and link are there before React, which asks for nothing again and moves nothing',
  { tag: '@main' },
  async ({ page }) => {
    const id = await entered(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    for (const path of successPaths(id)) {
      asked.length = 0;
      const arrive = await withoutApplication(page);
      await page.goto(path);
      await referralLink(page);
      await expect(tile(page, 'Total Entries')).toHaveText('1');
      await expect(tile(page, 'Friends Referred')).toHaveText('0');
      await expect(page.locator('.whose')).toContainText('Entered with (');
      await expect(page.locator('.waiting')).toHaveCount(0);
      const early = await page.locator('.success').innerHTML();
      const wasEarly = await page.evaluate(() => window.early !== undefined);
      expect(wasEarly).toBe(true);
      arrive();
      await alive(page);
      expect((await page.locator('.success').innerHTML()).startsWith(early), path).toBe(true);
      expect(await layoutShift(page), path).toBe(0);
      for (const call of ['', '/stats', '/appeal', '/referrals']) {
        const times = asked.filter((each) => each === `/api/users/${id}${call}`).length;
        expect(times, `${path}: ${call}`).toBe(1);
      }
      await page.unroute('**/assets/site.*.js');
    }
  },
);

test('a page that nobody touches runs React only after a while, and then by itself', async ({
  page,
}) => {
  const id = await entered(page);
  await page.goto(`/success/${id}`);
  await referralLink(page);
  expect(
    await page.evaluate(() => document.querySelectorAll('head script[src*="site."]').length),
  ).toBe(0);
  await expect(page.getByRole('heading', { name: 'What Happens Next?' })).toBeVisible({
    timeout: 15_000,
  });
  expect(await layoutShift(page)).toBe(0);
});

test('Copy answers before React, and is counted', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await entered(page);
  const arrive = await withoutApplication(page);
  await page.goto(`/garden-bag/success/${id}`);
  const address = await referralLink(page);
  const counted = page.waitForResponse('**/api/analytics/social-share');
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
  expect(await page.evaluate(() => window.early !== undefined)).toBe(true);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  expect((await counted).ok()).toBe(true);
  arrive();
  await alive(page);
  await expect(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible(); // React goes on
  await expect(page.locator('.share-line')).toHaveText('You shared your link today.');
});

test('another press before React waits for it', async ({ page }) => {
  const id = await entered(page);
  const arrive = await withoutApplication(page);
  await page.goto(`/garden-bag/success/${id}`);
  await referralLink(page);
  await page.getByRole('button', { name: 'Show QR code' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  arrive();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a mail before React opens at once and is counted', async ({ page, context }) => {
  await context.addInitScript(() =>
    addEventListener('click', (event) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (link && link.href.startsWith('mailto:')) event.preventDefault(); // no app to open here
    }),
  );
  const id = await entered(page);
  const arrive = await withoutApplication(page);
  await page.goto(`/garden-bag/success/${id}`);
  const address = await referralLink(page);
  const email = page.getByRole('link', { name: 'Email' });
  expect(decodeURIComponent((await email.getAttribute('href')) ?? '')).toContain(address);
  const counted = page.waitForResponse('**/api/analytics/social-share');
  await email.click();
  expect((await counted).ok()).toBe(true);
  arrive();
  await alive(page);
  await expect(page.locator('.share-line')).toHaveText('You shared your link today.');
});

test("without React's files the page reloads once and then says so; the figures stay", async ({
  page,
}) => {
  const id = await entered(page);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto(`/garden-bag/success/${id}`);
  await referralLink(page);
  const reloaded = page.waitForEvent('domcontentloaded');
  await page.getByRole('button', { name: 'Copy' }).click();
  await reloaded;
  await referralLink(page);
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText(/did not finish loading/)).toBeVisible();
  await expect(tile(page, 'Total Entries')).toHaveText('1');
  await page.unroute('**/assets/*.js');
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
});

test('figures that failed are said to have failed, and come when asked for again', async ({
  page,
}) => {
  const id = await entered(page);
  const path = `**/api/users/${id}/stats`;
  let asked = 0;
  await page.route(path, (route) => {
    asked += 1;
    return route.fulfill({ status: 503, headers: { 'Retry-After': '3' }, json: { error: 'Away' } });
  });
  await page.goto(`/garden-bag/success/${id}`);
  const alert = page.getByRole('alert').filter({ hasText: 'Please try again in 3 seconds.' });
  await expect(alert).toBeVisible();
  expect(asked).toBe(1);
  await page.unroute(path);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(tile(page, 'Total Entries')).toHaveText('1');
  await expect(alert).toHaveCount(0);
});

test('without JavaScript the page says what it needs', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/garden-bag/success/7');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garden Bag Success!');
  await expect(page.getByText(/Your entries and your referral link need JavaScript/)).toBeVisible();
  await expect(page.locator('body')).not.toContainText('EARLY_'); // what stands in the template
  await context.close();
});
