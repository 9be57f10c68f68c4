import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { violations, violationsInBothSchemes } from './axe';
import { testOnOwnServer } from './ownServer';
import { figure, openConsole } from './staff';
import { enter, expect, expectNoSidewaysScroll, referralLink, tile, toast } from './test';

const SETTINGS = '?section=settings';

const test = testOnOwnServer();

const activity = (page: Page) => page.getByRole('table', { name: /What staff did/ });

async function clear(page: Page, button: string, rows: RegExp) {
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByText(rows)).toBeVisible();
  await dialog.getByLabel('Type CLEAR to confirm').fill('CLEAR');
  await dialog.getByRole('button', { name: button }).dblclick();
  await expect(dialog).toHaveCount(0);
}

test('clearing analytics deletes what it says, and is written down', async ({ page, own }) => {
  await enter(page, '/garden-bag');
  const views = async () => Number((await own.query('SELECT count(*) FROM page_views'))[0]?.count);
  await expect.poll(views).toBe(2);
  await openConsole(page, SETTINGS);
  await clear(page, 'Clear Analytics Data', /2 page views, 0 social shares and \d+ funnel steps/);
  await expect(toast(page)).toContainText('Analytics data cleared');
  await expect(toast(page)).toContainText('Deleted: 2 page views');
  expect(await views()).toBe(0);
  expect(await own.query('SELECT 1 FROM users')).toHaveLength(1);
  await expect(activity(page)).toContainText('Clear analytics');
  await expect(activity(page)).toContainText('Page views: 2');

  await page.getByRole('link', { name: 'Analytics' }).click();
  await expect(figure(page, 'Page Views')).toHaveText('0');
  await expect(figure(page, 'Total Users')).toHaveText('1');
});

test('clearing referrals takes the entries that were given for them', async ({ page, browser }) => {
  await enter(page, '/fresh-sips');
  const link = await referralLink(page);
  const friends = await browser.newContext();
  await enter(await friends.newPage(), link);
  await friends.close();
  await page.reload();
  await expect(tile(page, 'Total Entries')).toHaveText('2');

  const staffs = await browser.newContext();
  const desk = await staffs.newPage();
  await openConsole(desk, '?section=analytics&tab=pricing');
  await clear(desk, 'Clear Referral Data', /1 referral and 1 bonus entry/);
  await expect(toast(desk)).toContainText('Referrals cleared');
  await staffs.close();

  await page.reload();
  await expect(tile(page, 'Total Entries')).toHaveText('1');
  await expect(tile(page, 'Friends Referred')).toHaveText('0');
});

test('a clearing that has to wait shows its progress, also after a reload, and ends', async ({
  page,
  own,
}) => {
  await openConsole(page, SETTINGS);
  // As a writer that takes its time: nothing can be deleted before it ends.
  await own.query('BEGIN; SELECT pg_advisory_xact_lock_shared(7266209184103)');
  await page.getByRole('button', { name: 'Clear Referral Data' }).click();
  await page.getByLabel('Type CLEAR to confirm').fill('CLEAR');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Clear Referral Data' });
  await expect(dialog.getByRole('progressbar')).toBeVisible({ timeout: 20_000 });
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await own.query('COMMIT');
  await expect(toast(page)).toContainText('Referrals cleared', { timeout: 40_000 });
  await expect(page.getByRole('progressbar')).toHaveCount(0);
});

test('the activity is filtered in the address, and goes back', async ({ page }) => {
  await openConsole(page, SETTINGS);
  await expect(activity(page)).toBeVisible();
  await page.getByLabel('Action', { exact: true }).selectOption('Login');
  await expect(page).toHaveURL(/\?section=settings&action=login$/);
  await expect(activity(page).getByRole('row').filter({ hasNotText: 'Login' })).toHaveCount(1); // its head
  await page.getByLabel('Start date').fill('2020-01-01');
  await page.getByLabel('End date').fill('2020-01-31');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByLabel('End date').fill('2019-01-01');
  await expect(page.locator('.field-error')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Action', { exact: true })).toHaveValue('login');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/action=login&startDate=2020-01-01$/);
});

test('more activity than a page holds has pages', async ({ page, request }) => {
  await openConsole(page, SETTINGS);
  const token = await page.evaluate(() => localStorage.getItem('adminSessionToken') ?? '');
  for (let run = 0; run < 26; run += 1) {
    await request.post('/api/admin/fraud-detection', { headers: { 'X-Session-Token': token } });
  }
  await page.goto('/admin?section=settings&action=fraud_detection');
  const pages = page.getByRole('navigation', { name: 'Pages of actions' });
  await expect(pages).toContainText('1–25 of 26 actions');
  await pages.getByRole('button', { name: 'Next page' }).click();
  await expect(pages).toContainText('26–26 of 26 actions');
  await expect(activity(page).getByRole('row')).toHaveCount(2);
  await page.reload();
  await expect(pages).toContainText('26–26 of 26 actions');
});

test('the activity is saved as a file', async ({ page }) => {
  await openConsole(page, `${SETTINGS}&action=login`);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^tombola-activity-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  const [head, ...rows] = text.replace('\uFEFF', '').trim().split(/\r?\n/);
  expect(head).toBe('"id","createdAt","action","target","details","ipAddress","session","member"');
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatch(/^"\d+","[^"]+","login",/);
});

test('axe finds nothing, and nothing scrolls sideways', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openConsole(page, SETTINGS);
  await expect(activity(page)).toBeVisible();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear Analytics Data' }).click();
  await expect(page.getByRole('alertdialog').getByText(/This deletes/)).toBeVisible();
  expect(await violationsInBothSchemes(page), 'clearing').toEqual([]);
  await expectNoSidewaysScroll(page);
});
