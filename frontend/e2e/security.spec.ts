import type { APIRequestContext, Page } from '@playwright/test';
import { violationsInBothSchemes } from './axe';
import { testOnOwnServer } from './ownServer';
import { openConsole } from './staff';
import { expect, expectNoSidewaysScroll, newPhone, toast } from './test';

const SECURITY = '?section=analytics&tab=security';

// Behind a proxy that is believed, the tests choose from which address people come.
const test = testOnOwnServer({ TRUSTED_PROXIES: '127.0.0.1' });

/** Enters people from one address; answers their ids. */
async function enterFrom(request: APIRequestContext, address: string, count: number) {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const answer = await request.post('/api/users/register', {
      headers: { 'X-Forwarded-For': address },
      data: { phoneNumber: newPhone(), landingPage: 'fresh-sips' },
    });
    const { user } = (await answer.json()) as { user: { id: number } };
    ids.push(user.id);
  }
  return ids;
}

const suspicious = (page: Page, address: string) =>
  page
    .getByRole('table', { name: /each address/ })
    .getByRole('row')
    .filter({ hasText: address });

const flaggedRows = (page: Page) =>
  page
    .getByRole('table', { name: /excluded from the raffles/ })
    .getByRole('row')
    .filter({ hasText: 'Excluded from Raffles' });

/** Presses Refresh until the address is listed: what people do takes a moment to be counted. */
async function untilListed(page: Page, address: string) {
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(suspicious(page, address)).toBeVisible({ timeout: 500 });
  }).toPass();
}

test('an address with several accounts is listed, and its user can be flagged', async ({
  page,
  request,
  own,
}) => {
  await openConsole(page, SECURITY);
  await expect(page.getByText('No flagged users')).toBeVisible();
  const ids = await enterFrom(request, '203.0.113.7', 3);
  await enterFrom(request, '203.0.113.8', 2);
  await untilListed(page, '203.0.113.7');
  await expect(suspicious(page, '203.0.113.8')).toHaveCount(0);
  await expect(suspicious(page, '203.0.113.7')).toContainText('3');
  await expect(suspicious(page, '203.0.113.7')).toContainText('Active');

  await suspicious(page, '203.0.113.7').getByRole('button').click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(/^Flag \*{3}-\*{3}-\d{4}\?/);
  await dialog.getByRole('button', { name: 'Flag' }).dblclick();
  await expect(toast(page)).toContainText('User flagged');
  await expect(flaggedRows(page)).toHaveCount(1);
  await expect(flaggedRows(page)).toContainText('Multiple accounts from IP 203.0.113.7');
  const flagged = await own.query('SELECT id FROM users WHERE is_flagged');
  expect(flagged.map(({ id }) => Number(id)).every((id) => ids.includes(id))).toBe(true);
  expect(flagged).toHaveLength(1);
});

test('fraud detection flags the rest, who go on using the site', async ({ page, request }) => {
  const ids = await enterFrom(request, '198.51.100.23', 12);
  await openConsole(page, SECURITY);
  await page.getByRole('button', { name: 'Run Fraud Detection' }).click();
  await expect(toast(page)).toContainText('Fraud detection completed');
  await expect(toast(page)).toContainText('Suspicious accounts have been flagged');
  await expect(page.getByText(/^\d+ new accounts were flagged\.$/)).toBeVisible();
  await expect(suspicious(page, '198.51.100.23')).toContainText('Flagged');
  await expect(suspicious(page, '198.51.100.23').getByRole('button')).toHaveCount(0);
  await expect(flaggedRows(page)).toHaveCount(10);
  await expect(page.getByText(/^\.\.\. and \d+ more flagged users$/)).toBeVisible();
  await page.getByRole('button', { name: 'Run Fraud Detection' }).click();
  await expect(page.getByText('No new accounts were flagged.')).toBeVisible();

  await page.goto(`/fresh-sips/success/${ids[0]}`);
  await expect(page.getByLabel('Your referral link')).toHaveValue(/\/ref\/\w+$/);
});

test('all flagged users have a page, which is sorted, searched and reloaded', async ({
  page,
  request,
}) => {
  await enterFrom(request, '198.51.100.24', 12);
  await enterFrom(request, '198.51.100.25', 3);
  await openConsole(page, SECURITY);
  await page.getByRole('button', { name: 'Run Fraud Detection' }).click();
  // Ten rows were there before, and the sentence moves what is below it.
  await expect(page.getByText(/^\d+ new accounts were flagged\.$/)).toBeVisible();
  await expect(flaggedRows(page)).toHaveCount(10);
  await page.getByRole('link', { name: 'Show all flagged users' }).click();
  await expect(page).toHaveURL(/view=flagged$/);
  await expect(page.getByRole('link', { name: 'Back to Security' })).toBeFocused();
  await expect(flaggedRows(page).filter({ hasText: '198.51.100.24' })).toHaveCount(12);

  await page.getByRole('columnheader', { name: 'Registered' }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=createdAt/);
  await page.getByLabel('Find a number, IP address or reason').fill('100.24');
  await expect(flaggedRows(page)).toHaveCount(12);
  await page.reload();
  await expect(flaggedRows(page)).toHaveCount(12);
  await flaggedRows(page)
    .last()
    .getByRole('button', { name: /^Unflag/ })
    .click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason').fill('A school');
  await page.keyboard.press('Enter');
  await expect(flaggedRows(page)).toHaveCount(11);

  await page.getByLabel('Landing page', { exact: true }).selectOption('sustainable-living');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Security' }).click();
  await expect(page).toHaveURL(/section=analytics&tab=security$/);
  await expect(page.getByRole('table', { name: /each address/ })).toBeVisible();
});

test('an unflagged user, with a reason, stays unflagged', async ({ page, request, own }) => {
  const [id = 0] = await enterFrom(request, '192.0.2.50', 3);
  await openConsole(page, SECURITY);
  await page.getByRole('button', { name: 'Run Fraud Detection' }).click();
  await expect(suspicious(page, '192.0.2.50')).toContainText('Flagged');
  const isFlagged = async () =>
    (await own.query(`SELECT is_flagged FROM users WHERE id = ${id}`))[0]?.is_flagged;
  expect(await isFlagged()).toBe(true);

  const [entered] = await own.query(
    `SELECT right(phone_number, 4) AS last4 FROM users WHERE id = ${id}`,
  );
  const phone = `***-***-${String(entered?.last4)}`;
  const row = flaggedRows(page).filter({ hasText: phone });
  await row.getByRole('button', { name: /^Unflag/ }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Unflag' }).click();
  await expect(dialog.getByText('Enter a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('A family with one router');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(toast(page)).toContainText('User unflagged');
  await expect(flaggedRows(page).filter({ hasText: '192.0.2.50' })).toHaveCount(2);

  await page.getByRole('button', { name: 'Run Fraud Detection' }).click();
  await expect(page.getByText('No new accounts were flagged.')).toBeVisible();
  await expect(flaggedRows(page).filter({ hasText: phone })).toHaveCount(0);
  expect(await isFlagged()).toBe(false);

  await page.goto('/admin?section=settings&action=unflag_user');
  const activity = page.getByRole('table', { name: /What staff did/ });
  await expect(activity).toContainText(`User ${id}`);
  await expect(activity).toContainText('Reason: A family with one router');
});

test('axe finds nothing, and nothing scrolls sideways', async ({ page, request }) => {
  await enterFrom(request, '2001:db8:85a3::8a2e:370:7334', 3);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openConsole(page, SECURITY);
  await page.getByRole('button', { name: 'Run Fraud Detection' }).click();
  // Accounts that are flagged at the same moment are listed by their random ids.
  const longAddress = flaggedRows(page).filter({ hasText: '2001:db8:85a3::8a2e:370:7334' });
  await expect(longAddress.first()).toBeVisible();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.getByRole('link', { name: 'Show all flagged users' }).click();
  await expect(longAddress.first()).toBeVisible();
  expect(await violationsInBothSchemes(page), 'all flagged users').toEqual([]);
  await flaggedRows(page).first().getByRole('button').click();
  expect(await violationsInBothSchemes(page), 'unflagging').toEqual([]);
  await expectNoSidewaysScroll(page);
});
