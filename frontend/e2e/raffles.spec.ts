import { violationsInBothSchemes } from './axe';
import { testOnOwnServer } from './ownServer';
import { openConsole } from './staff';
import { expect, newPhone, phoneField, submitButton } from './test';

const test = testOnOwnServer();
test.use({ viewport: { width: 390, height: 844 } });

test('a raffle that staff close is entered by nobody until it opens again', async ({
  page,
  browser,
}) => {
  const visitors = await browser.newContext();
  const visitor = await visitors.newPage();
  await visitor.goto('/kitchen-garden');
  await openConsole(page, '?section=raffles');
  const row = page.locator('.raffle-card', { hasText: 'Kitchen Garden Essentials' });
  await expect(row).toContainText('Open');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await violationsInBothSchemes(page)).toEqual([]);

  await row.getByRole('button', { name: /^Close/ }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('radio', { name: 'At once' }).check();
  await dialog.getByLabel('Reason').fill('The prize is gone');
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(row).toContainText('Closed');

  await phoneField(visitor).fill(newPhone());
  await submitButton(visitor).click();
  await expect(visitor.getByRole('form').getByText('This raffle has ended.')).toBeVisible();

  const friend = await visitors.newPage(); // a tab keeps the code of its link
  await expect(async () => {
    await friend.goto('/kitchen-garden/ref/CDFG3467');
    await expect(friend.getByText('This raffle has ended')).toBeVisible({ timeout: 500 });
  }).toPass(); // a debug build takes a while to compress all pages again
  const link = friend.getByRole('link', { name: 'Fresh Sips Mixology Kit' });
  const referred = new RegExp('/fresh-sips/ref/CDFG3467$');
  await expect(link).toHaveAttribute('href', referred);
  await link.focus(); // the first touch, which loads React
  await friend.waitForFunction(() => window.early === undefined);
  await expect(link).toHaveAttribute('href', referred);
  expect(await violationsInBothSchemes(friend)).toEqual([]);
  const withoutScript = await browser.newContext({ javaScriptEnabled: false });
  const reader = await withoutScript.newPage();
  for (const path of ['/kitchen-garden', '/kitchen-garden/success/7', '/planter/kitchen-2b4c']) {
    await reader.goto(path);
    await expect(reader.getByText('This raffle has ended')).toBeVisible();
    await expect(reader.getByRole('link', { name: 'Fresh Sips Mixology Kit' })).toBeVisible();
    await expect(reader.getByRole('link', { name: 'See its drawings' })).toBeVisible();
  }
  await withoutScript.close();

  await row.getByRole('button', { name: /^Open/ }).click();
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(row.getByRole('button', { name: /^Close/ })).toBeVisible();
  await expect(async () => {
    await visitor.goto('/kitchen-garden');
    await expect(phoneField(visitor)).toBeVisible({ timeout: 500 });
  }).toPass();
  await phoneField(visitor).fill(newPhone());
  await submitButton(visitor).click();
  await expect(visitor).toHaveURL(/\/kitchen-garden\/success\/\d+$/);
  await visitors.close();
});

test('staff make a raffle beside its pages, publish and open it, and visitors enter it', async ({
  page,
  browser,
}) => {
  await openConsole(page, '?section=raffles');
  await page.getByRole('button', { name: 'New raffle' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Address').fill('tea-set');
  await page.getByLabel('Begin with').selectOption('fresh-sips');
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByLabel('Heading', { exact: true }).fill('Win the <Tea> "Set"');
  await page.getByLabel("The prize's name").fill('Tea Set');
  await page.getByRole('radio', { name: 'Plum' }).check();
  const preview = page.frameLocator('iframe[title^="Sign-up page"]');
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Win the <Tea> "Set"');
  await expect(preview.locator('html')).toHaveAttribute('data-palette', 'plum');
  await expect(preview.locator('.ticket')).toHaveCSS('display', 'grid'); // its styles count
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save draft' }).click();
  await expect(page.getByText(/^Saved .* by staff$/)).toBeVisible();
  await page.getByRole('button', { name: 'Publish...' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Version 1', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Back to all raffles' }).click();
  await page.getByRole('button', { name: 'Open Tea Set' }).click();
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Close Tea Set' })).toBeVisible();

  const visitors = await browser.newContext();
  const visitor = await visitors.newPage();
  await expect(async () => {
    await visitor.goto('/tea-set');
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Win the <Tea> "Set"', {
      timeout: 500,
    });
  }).toPass();
  await phoneField(visitor).fill(newPhone());
  await submitButton(visitor).click();
  await expect(visitor).toHaveURL(/\/tea-set\/success\/\d+$/);

  await page.getByRole('link', { name: 'Tea Set', exact: true }).click();
  await page.getByLabel("The prize's name").fill('Tea Set for Two');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('button', { name: 'Publish...' }).click();
  await expect(dialog).toContainText(/It counts from [A-Z][a-z]{2} 1, \d{4}, 12:00\sAM on\./);
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible();
  await visitor.goto('/rules#what-can-be-won');
  await expect(visitor.getByRole('heading', { name: 'Tea Set' })).toBeVisible();
  await expect(visitor.getByText(/^From .* 1, \d+ on: Tea Set for Two, worth/)).toBeVisible();
  expect(await violationsInBothSchemes(visitor)).toEqual([]);
  await visitors.close();
});
