import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { violations } from './axe';
import { enter, expect, openYourEntry, referralLink, test } from './test';

const title = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Your entry and your data' });
const toggle = (page: Page) => page.getByRole('switch', { name: /Text me about upcoming raffles/ });
const calendar = (page: Page) =>
  page.getByRole('button', { name: 'Add the drawing to your calendar' });

test('the keyboard leads to the screen, through it, and back', async ({ page }) => {
  await enter(page, '/fresh-sips');
  const success = page.url();
  await page.getByRole('link', { name: 'Your entry and your data' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${success}/your-entry`);
  await expect(page).toHaveTitle(/^Your entry and your data \|/);
  await expect(toggle(page)).toBeVisible();
  await expect(title(page)).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await expect(page.locator('.day a')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(calendar(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(toggle(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('summary')).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL(success);
  await referralLink(page);
  await openYourEntry(page);
  await page.getByRole('link', { name: 'Back to your entries' }).click();
  await expect(page).toHaveURL(success);
});

test('a reload shows the screen again, and what one tab saves, another one reads', async ({
  page,
  context,
}) => {
  await enter(page, '/garden-bag');
  await openYourEntry(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await toggle(page).click();
  await expect(page.getByText('Saved: texts are on.')).toBeVisible();
  await page.reload();
  await expect(toggle(page)).toBeChecked();
  await other.reload();
  await expect(toggle(other)).toBeChecked();
});

test('the calendar gets a file of the next drawing', async ({ page }) => {
  await enter(page, '/kitchen-garden');
  await openYourEntry(page);
  const downloaded = page.waitForEvent('download');
  await calendar(page).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toMatch(/^drawing-\d{4}-\d\d-01\.ics$/);
  const file = await readFile(await download.path(), 'utf8');
  expect(file).toMatch(
    /^BEGIN:VCALENDAR\r\n[^]*\r\nDTSTART:\d{6}\d\dT\d{6}Z\r\n[^]*END:VCALENDAR\r\n$/,
  );
  expect(file).toContain('Kitchen Garden Essentials');
});

test('nothing of the screen is counted, and nothing of it is asked for by the success page', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await enter(page, '/garden-bag');
  await referralLink(page);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => /consent|data-requests|your-entry/.test(path))).toEqual([]);
  asked.length = 0;
  await page.goto(`${page.url()}/your-entry`);
  await expect(toggle(page)).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => /track|analytics|collect/.test(path))).toEqual([]);
});
