import type { Page } from '@playwright/test';
import { violations } from './axe';
import { query } from './database';
import { alive, enter, expect, layoutShift, openYourEntry, referralLink, test } from './test';

const line = (page: Page) => page.locator('.share-line');

test.beforeEach(({ context }) =>
  context.addInitScript(() =>
    addEventListener('click', (event) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (link && /^(mailto|sms):/.test(link.href)) event.preventDefault(); // no app to open here
    }),
  ),
);

const share = (page: Page, name: 'Email' | 'Text') =>
  page.getByRole('link', { name, exact: true }).click();

test('a line says what came of the shares, and nothing moves', async ({ page }) => {
  await enter(page, '/garden-bag');
  const id = page.url().split('/').pop();
  const progress = page.waitForResponse(`**/api/users/${id}/share-progress`);
  await page.reload(); // shifts count from here
  await alive(page);
  expect((await progress).status()).toBe(200);
  await expect(line(page)).toHaveText('1 more friend: 2 entries in all.');
  await share(page, 'Email');
  await expect(line(page)).toHaveText('You shared your link today.');
  await query(
    'UPDATE share_progress SET email_shared_on = email_shared_on - 1 WHERE user_id = $1',
    [id],
  );
  await share(page, 'Text');
  await expect(line(page)).toHaveText('You shared on 2 days in a row.');
  expect(await layoutShift(page)).toBe(0);
  expect(await violations(page)).toEqual([]);

  await openYourEntry(page);
  const part = page.getByRole('region', { name: 'Your shares' });
  await expect(part).toContainText(
    'You shared your link 2 times, by email and by text, most recently on 2 days in a row.',
  );
  await expect(part.getByRole('listitem')).toHaveText([
    'Your first share',
    'Shared both by email and by text',
  ]);
  await expect(part).toContainText('You have 20 points, which is level 1.');
  expect(await layoutShift(page)).toBe(0);
  expect(await violations(page)).toEqual([]);
});

test('a share from before the application was there is told, however late it is counted', async ({
  page,
}) => {
  const before = page.waitForResponse('**/share-progress');
  await enter(page, '/fresh-sips');
  await (await before).finished(); // what follows is about the page after it
  let shared!: () => void;
  const isShared = new Promise<void>((resolve) => (shared = resolve));
  await page.route('**/assets/site.*.js', async (route) => {
    await isShared;
    await route.continue();
  });
  const progress = page.waitForResponse('**/share-progress');
  const counted = page.waitForResponse(
    (answer) => answer.url().endsWith('/social-share') && answer.ok(), // not the first of two tries
  );
  await page.route('**/api/analytics/social-share', async (route) => {
    await (await progress).finished();
    await route.continue();
  });
  await page.reload();
  await referralLink(page);
  await share(page, 'Text');
  expect(await page.evaluate(() => window.early?.take !== undefined)).toBe(true);
  shared();
  await counted;
  await expect(line(page)).toHaveText('You shared your link today.');
});

test('only the browser that entered has the line', async ({ page, browser }) => {
  await enter(page, '/fresh-sips');
  await share(page, 'Text');
  await expect(line(page)).toHaveText('You shared your link today.');
  const other = await (await browser.newContext()).newPage();
  const asked: string[] = [];
  other.on('request', (request) => asked.push(request.url()));
  await other.goto(page.url());
  await referralLink(other);
  await alive(other);
  await other.waitForLoadState('networkidle');
  await expect(line(other)).toHaveCount(0);
  expect(asked.filter((url) => url.endsWith('/share-progress'))).toEqual([]);
  await other.context().close();
});

test('a browser that entered finds its page again, also from its own link', async ({ page }) => {
  await enter(page, '/fresh-sips');
  const own = new URL(page.url()).pathname;
  const link = await referralLink(page);
  const wayBack = page.getByRole('link', { name: 'Go to your page' });
  for (const path of ['/', '/welcome', '/garden-bag', '/planter/fresh-preview2345', link]) {
    await page.goto(path);
    await expect(wayBack, path).toHaveAttribute('href', own);
    expect(await layoutShift(page), path).toBe(0);
  }
  await expect(page.getByText(/You were referred/)).toHaveCount(0);
  await expect(page.getByLabel('Phone number')).toBeVisible(); // for a second person
  await alive(page); // React finds nothing to change
  await expect(wayBack).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await wayBack.click();
  await expect(page).toHaveURL(new RegExp(`${own}$`));
  await expect(page.getByText('Total Entries')).toBeVisible();
});
