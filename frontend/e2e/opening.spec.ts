import type { Page } from '@playwright/test';
import { violations } from './axe';
import { testOnOwnServer } from './ownServer';
import { freshServer } from './server';
import { newSession, openConsole, signIn, tab } from './staff';
import { enter, expect } from './test';

const test = testOnOwnServer();
test.use({ viewport: { width: 390, height: 844 } });

const menu = (page: Page) => page.getByRole('navigation', { name: 'Sections' });
const notice = (page: Page) => page.getByText(/^Not ready for visitors/);
const check = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

/** Enters, is flagged by staff and appeals; ends on the success page. */
async function enterAndAppeal(page: Page) {
  await enter(page, '/fresh-sips');
  const headers = { Authorization: `Bearer ${await newSession(page)}` };
  const userId = Number(page.url().split('/').pop());
  const data = { userId, reason: 'Ten accounts', publicReason: 'several_accounts' };
  const answer = await page.request.post('/api/admin/flag-user', { headers, data });
  expect(answer.status()).toBe(200);
  await page.reload();
  const message = page.getByRole('textbox', { name: 'Your message' });
  await message.fill('We are four people in one house.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('region', { name: 'We have your message' })).toBeVisible();
}

test('the console says what is missing before the site opens, and what to do', async ({ page }) => {
  await openConsole(page);
  await expect(notice(page)).toContainText('Missing: texts, sponsor and contact, official rules.');
  await page.getByRole('link', { name: 'What to do before you open' }).click();
  await expect(page).toHaveURL(/\?section=opening$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Before you open' })).toBeVisible();
  await expect(page.getByText('3 of 6 still missing.')).toBeVisible();
  await expect(notice(page)).toBeHidden();
  await expect(check(page, 'Sponsor and contact')).toContainText(
    'Set CONTACT_EMAIL, SPONSOR_NAME, SPONSOR_ADDRESS and restart the server.',
  );
  await expect(check(page, 'Randomness beacon')).toContainText('Can wait');
  expect(await widthOf(page)).toBe(390);
  await expect(menu(page).getByRole('link', { name: 'Before you open' })).toBeInViewport({
    ratio: 1,
  });
  expect(await violations(page)).toEqual([]);
  await check(page, 'Texts').getByRole('link', { name: 'Open Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await page.goBack();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(menu(page).getByRole('link', { name: 'Before you open' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  expect(await violations(page)).toEqual([]);
});

test('what is missing is said without taking a click from what it moves', async ({ page }) => {
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/admin/opening', async (route) => {
    await mayAnswer;
    await route.continue();
  });
  await openConsole(page, '?section=sms&tab=welcome');
  await page.getByRole('button', { name: 'New Welcome Message' }).hover();
  await page.mouse.down();
  const answered = page.waitForResponse('**/api/admin/opening');
  answer();
  await (await answered).finished();
  // Time for React to show it.
  for (let frame = 0; frame < 5; frame += 1) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await expect(notice(page)).toBeHidden();
  await page.mouse.up();
  await expect(page.getByLabel('Landing page')).toBeVisible();
  await expect(notice(page)).toBeVisible();
});

test('what is set is ready', async ({ page }) => {
  const server = await freshServer({
    SITE_NAME: 'The Great Bees & Honey Raffle',
    CONTACT_EMAIL: 'help@raffle.example',
    SPONSOR_NAME: 'Bees, Inc.',
    SPONSOR_ADDRESS: '12 Elm Street, Springfield, IL 62701',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: '0'.repeat(32),
    TWILIO_PHONE_NUMBER: '+15005550006',
    TWILIO_API_BASE: 'http://127.0.0.1:9',
  });
  try {
    await page.goto(`${server.origin}/admin?section=opening`);

    await signIn(page);
    await expect(page).toHaveTitle('Before you open | The Great Bees & Honey Raffle Admin');
    await expect(page.getByText('You can open. What can wait is marked.')).toBeVisible();
    await expect(check(page, 'Texts')).toContainText('Ready');
    await expect(check(page, 'Sponsor and contact')).toContainText('Ready');
    await menu(page).getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    await expect(notice(page)).toBeHidden();
    expect(await widthOf(page)).toBe(390);
  } finally {
    await server.stop();
  }
});

test('the menu counts what waits, until staff have done it', async ({ page }) => {
  await enterAndAppeal(page);
  await openConsole(page, '?section=drawing');
  const link = menu(page).getByRole('link', { name: 'Analytics, 1 waiting' });
  await link.click();
  await tab(page, 'Security, 1 waiting').click();
  expect(await widthOf(page)).toBe(390);
  expect(await violations(page)).toEqual([]);
  const appeals = page.getByRole('region', { name: 'Appeals' });
  await appeals.getByRole('button', { name: /^Accept/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accept' }).click();
  await expect(tab(page, 'Security')).toHaveText('Security');
  await expect(link).toBeHidden();
});
