import type { Page } from '@playwright/test';
import { violations } from './axe';
import { openConsole } from './staff';
import { enter, expect, test } from './test';

test(
  'staff find a person, note, mark and unmark a duplicate',
  { tag: '@main' },
  async ({ page, browser, baseURL }) => {
    const phone = await enter(page, '/garden-bag');
    const id = page.url().split('/').at(-1)!;
    const other = await browser.newContext({ ...(baseURL && { baseURL }) });
    const otherPage = await other.newPage();
    await enter(otherPage, '/garden-bag');
    const original = otherPage.url().split('/').at(-1)!;
    await other.close();

    await openConsole(page, '?section=people');
    await find(page, phone);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('table').getByRole('link').first().click();
    await expect(page).toHaveURL(new RegExp(`person=${id}`));
    await expect(page.getByRole('region', { name: 'Sign-up' })).toContainText(id);
    expect(await violations(page)).toEqual([]);

    await page.getByRole('textbox', { name: 'Tags' }).fill('VIP, press');
    await page.getByRole('textbox', { name: 'Notes' }).fill('Called in May.');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('textbox', { name: 'Tags' })).toHaveValue('vip, press');
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveValue('Called in May.');

    await page.getByRole('button', { name: 'Mark as a duplicate' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('ID of the entry that stays').fill(original);
    await dialog.getByLabel('Reason').fill('Two phones, one person');
    await dialog.getByRole('button', { name: 'Mark as a duplicate' }).click();
    await expect(page.getByText('This entry is a duplicate of')).toBeVisible();
    await page.getByRole('button', { name: /Undo/ }).click();
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('No other entry of this person is known.')).toBeVisible();

    const copied = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Make a copy' }).click();
    await page.getByRole('link', { name: 'Download the copy' }).click();
    expect((await copied).suggestedFilename()).toBe('tombola-data.zip');
  },
);

test('staff import people from a file, and find them', async ({ page }) => {
  await openConsole(page, '?section=people&view=import');
  const choose = (text: string) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`phoneNumber,landingPage,consentBasis\n${text}`),
    });
  await choose('555,garden-bag,Booth\n');
  await expect(page.getByText('The phone number is not valid')).toBeVisible();
  const number = `+1713555${String(Date.now()).slice(-4)}`;
  await choose(`${number},garden-bag,Signed up at our booth\n`);
  await page.getByRole('button', { name: 'Import 1 person' }).click();
  await expect(page.getByText(/1 person imported/)).toBeVisible();
  await page.getByRole('link', { name: 'Back to all people' }).click();
  await find(page, number);
  await page.getByRole('table').getByRole('link').first().click();
  await expect(page.getByText('Signed up at our booth')).toBeVisible();
});

/** Searches, and waits until the list has nobody else. */
async function find(page: Page, phone: string) {
  await page.getByRole('searchbox').fill(phone);
  await expect(page.getByText('1–1 of 1 people')).toBeVisible();
}
