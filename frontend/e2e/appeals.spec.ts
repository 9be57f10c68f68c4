import type { Page } from '@playwright/test';
import { violations } from './axe';
import { testOnOwnServer } from './ownServer';
import { newSession, openConsole } from './staff';
import { enter, expect, toast } from './test';

const SECURITY = '?section=analytics&tab=security';
const MESSAGE = 'We are four people in one house.';

const test = testOnOwnServer();
test.use({ viewport: { width: 390, height: 844 } });

const notice = (page: Page, name = 'Your entries are on hold') =>
  page.getByRole('region', { name });
const appeals = (page: Page) => page.getByRole('region', { name: 'Appeals' });
const row = (page: Page) => appeals(page).getByRole('row').filter({ hasText: MESSAGE });

/** Staff flag somebody, as the button in the console does. */
async function flag(page: Page, userId: number) {
  const token = await newSession(page);
  const answer = await page.request.post('/api/admin/flag-user', {
    headers: { Authorization: `Bearer ${token}` },
    data: { userId, reason: 'Ten accounts', publicReason: 'several_accounts' },
  });
  expect(answer.status()).toBe(200);
}

/** Enters and is flagged; ends on the success page with the notice. */
async function enterAndBeFlagged(page: Page): Promise<string> {
  await enter(page, '/fresh-sips');
  const address = page.url();
  await flag(page, Number(address.split('/').pop()));
  await page.reload();
  await expect(notice(page)).toBeVisible();
  return address;
}

async function appeal(page: Page) {
  await page.getByRole('textbox', { name: 'Your message' }).fill(MESSAGE);
  await page.getByRole('button', { name: 'Send message' }).dblclick();
  await expect(notice(page, 'We have your message')).toContainText(MESSAGE);
}

const noSidewaysScroll = async (page: Page, width: number) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

test('a flagged entrant appeals, staff accept, and the notice is gone', async ({
  page,
  browser,
  own,
}) => {
  const address = await enterAndBeFlagged(page);
  const first = page.locator('.success > *').first();
  await expect(first).toContainText(
    'Your entries are on hold because it looks as if one person entered with several phone numbers.',
  );
  await expect(first).not.toContainText('Ten accounts'); // staff's words are for staff

  await page.getByRole('textbox', { name: 'Your message' }).fill('short');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Write at least 10 characters.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Your message' })).toBeFocused();
  await noSidewaysScroll(page, 390);
  expect(await violations(page)).toEqual([]);

  await appeal(page);
  await expect(page.getByRole('heading', { name: 'We have your message' })).toBeFocused();
  expect(await own.query('SELECT id FROM flag_appeals')).toHaveLength(1);
  await page.reload();
  await expect(notice(page, 'We have your message')).toContainText(MESSAGE);
  await expect(page.getByRole('textbox', { name: 'Your message' })).toHaveCount(0);

  const other = await (await browser.newContext({ baseURL: own.origin })).newPage();
  await other.goto(address);
  await expect(other.getByLabel('Your referral link')).toHaveValue(/\/ref\/\w+$/);
  await expect(other.getByText(/on hold/)).toHaveCount(0);
  await other.context().close();

  await openConsole(page, SECURITY);
  await expect(appeals(page)).toContainText('1 open');
  await expect(row(page)).toContainText('Ten accounts');
  await noSidewaysScroll(page, 390);
  await row(page)
    .getByRole('button', { name: /^Accept/ })
    .click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Note').fill('Thank you for telling us.');
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Accept' }).dblclick();
  await expect(toast(page)).toContainText('Appeal accepted');
  await expect(row(page)).toContainText('Accepted');
  await expect(page.getByText('No flagged users')).toBeVisible();

  await page.goto(address);
  await expect(notice(page, 'Your entries count again')).toContainText('Thank you for telling us.');
  await expect(notice(page)).toHaveCount(0);
  await expect(page.getByText(/are on hold/)).toHaveCount(0);
});

test('a rejected appeal shows why, and another one can be sent', async ({ page }) => {
  const address = await enterAndBeFlagged(page);
  await appeal(page);
  await openConsole(page, `${SECURITY}&appeals.status=open`);
  await row(page)
    .getByRole('button', { name: /^Reject/ })
    .click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(dialog.getByText('Enter a note.')).toBeVisible();
  await dialog.getByLabel('Note').fill('All came from one phone.');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(toast(page)).toContainText('Appeal rejected');
  await expect(row(page)).toHaveCount(0);

  await page.goto(address);
  await expect(notice(page)).toContainText('All came from one phone.');
  await page.getByRole('textbox', { name: 'Your message' }).fill('Four phones, one charger.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(notice(page, 'We have your message')).toContainText('Four phones, one charger.');
});

test('a shared network is added, refused and removed', async ({ page }) => {
  await openConsole(page, SECURITY);
  const card = page.getByRole('region', { name: 'Shared networks' });
  await card.getByRole('button', { name: 'Add network' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address or network').fill('10.0.0.0/8');
  await dialog.getByLabel('Name').fill('Springfield University');
  await dialog.getByRole('button', { name: 'Add network' }).click();
  await expect(dialog.getByLabel('Address or network')).toBeFocused();
  await expect(dialog.locator('.field-error')).toContainText('/20');
  await dialog.getByLabel('Address or network').fill('198.51.100.7/24');
  await dialog.getByRole('button', { name: 'Add network' }).click();
  await expect(toast(page)).toContainText('Network added');
  await expect(card.getByRole('row').filter({ hasText: 'Springfield' })).toContainText(
    '198.51.100.0/24',
  );
  await noSidewaysScroll(page, 390);
  await card.getByRole('button', { name: 'Remove 198.51.100.0/24' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(card.getByText('No shared networks')).toBeVisible();
});
