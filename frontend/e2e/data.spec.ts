import type { Page } from '@playwright/test';
import { violations } from './axe';
import { codeFor, newNumber, startProving } from './proving';
import {
  enter,
  expect,
  openYourEntry,
  phoneField,
  routeFirst,
  submitButton,
  test,
  tile,
} from './test';

/** Enters and opens the screen behind the success page. */
async function enterAndOpen(page: Page, path: string) {
  const phone = await enter(page, path);
  const own = page.url();
  await openYourEntry(page);
  return { phone, own };
}

const part = (page: Page) => page.locator('summary', { hasText: 'Your data' });
const copyButton = (page: Page) => page.getByRole('button', { name: 'Get a copy of your data' });
const copyLink = (page: Page) => page.getByRole('link', { name: 'Download your data' });
const eraseButton = (page: Page) => page.getByRole('button', { name: 'Delete my entry and data' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete your entry and data?' });
const forGood = (page: Page) => page.getByRole('button', { name: 'Delete for good' });
const farewell = (page: Page) => page.getByRole('heading', { name: 'Your data is deleted' });

test('a copy of the data is a ZIP, whose link survives a reload', async ({ page }) => {
  await enterAndOpen(page, '/garden-bag');
  await part(page).click();
  await copyButton(page).dblclick();
  await expect(copyLink(page)).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.reload();
  const downloaded = page.waitForEvent('download');
  await copyLink(page).click();
  const download = await downloaded;
  expect(download.suggestedFilename()).toBe('tombola-data.zip');
  const answer = await page.request.get((await copyLink(page).getAttribute('href')) ?? '');
  expect(answer.headers()['content-type']).toBe('application/zip');
  expect((await answer.body()).subarray(0, 2).toString()).toBe('PK');
});

test('whose file does not arrive is there after the page has reloaded by itself', async ({
  page,
}) => {
  await enterAndOpen(page, '/garden-bag');
  await routeFirst(page, '**/your-data.*.js', (route) => route.abort());
  await part(page).click();
  await expect(copyButton(page)).toBeVisible();
});

test('another browser has no such part', async ({ page, browser, baseURL }) => {
  await enterAndOpen(page, '/garden-bag');
  const elsewhere = await browser.newContext({ ...(baseURL && { baseURL }) });
  const other = await elsewhere.newPage();
  await other.goto(page.url());
  await expect(other.getByText(/^Only the browser that you entered with/)).toBeVisible();
  await expect(part(other)).toHaveCount(0);
  await elsewhere.close();
});

test(
  'an entrant deletes everything by the keyboard, and can enter again',
  { tag: '@main' },
  async ({ page }) => {
    const { phone, own } = await enterAndOpen(page, '/kitchen-garden');
    await part(page).focus();
    await page.keyboard.press('Enter');
    await eraseButton(page).focus();
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await expect(eraseButton(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await forGood(page).focus();
    await page.keyboard.press('Enter');
    await expect(farewell(page)).toBeFocused();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain('tombola.data');

    await page.goto(own);
    await expect(page.getByRole('heading', { name: 'We cannot find this entry' })).toBeVisible();
    await enter(page, '/kitchen-garden', phone);
    expect(page.url()).not.toBe(own);
    await expect(tile(page, 'Total Entries')).toHaveText('1');
  },
);

test('what one tab deletes is gone in the other', async ({ page, context }) => {
  await enterAndOpen(page, '/garden-bag');
  const other = await context.newPage();
  await other.goto(page.url());
  await part(other).click();
  await eraseButton(other).click();
  await part(page).click();
  await eraseButton(page).click();
  await forGood(page).dblclick();
  await expect(farewell(page)).toBeFocused();
  await forGood(other).click();
  await expect(farewell(other)).toBeFocused();
});

test('where numbers are proved, a code confirms both', async ({ page }) => {
  const proving = await startProving();
  try {
    const phone = newNumber();
    await page.goto(`${proving.origin}/garden-bag`);
    await phoneField(page).fill(phone);
    await submitButton(page).click();
    const code = page.getByLabel('6-digit code');
    await code.fill(await codeFor(proving, phone));
    await page.waitForURL(/\/success\/\d+$/);

    await openYourEntry(page);
    await part(page).click();
    await copyButton(page).click();
    await expect(code).toBeFocused();
    await page.reload(); // people look at the text in another app
    await code.fill(await codeFor(proving, phone, 2));
    await expect(copyLink(page)).toBeVisible();

    await eraseButton(page).click();
    await forGood(page).click();
    await expect(code).toBeFocused();
    expect(await violations(page)).toEqual([]);
    await code.fill(await codeFor(proving, phone, 3));
    await expect(farewell(page)).toBeFocused();
  } finally {
    await proving.stop();
  }
});
