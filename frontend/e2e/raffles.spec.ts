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
  const row = page.getByRole('row', { name: /Kitchen Garden Essentials/ });
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

  await row.getByRole('button', { name: /^Open/ }).click();
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(row.getByRole('button', { name: /^Close/ })).toBeVisible();
  await submitButton(visitor).click();
  await expect(visitor).toHaveURL(/\/kitchen-garden\/success\/\d+$/);
  await visitors.close();
});
