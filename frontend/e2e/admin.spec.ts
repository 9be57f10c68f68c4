import type { Page } from '@playwright/test';
import { violations, violationsInBothSchemes } from './axe';
import { query } from './database';
import { endSessionsAt, figure, openConsole, signIn, staff, tab, TOKEN_KEY } from './staff';
import { enter, expect, expectNoSidewaysScroll, referralLink, test, toast } from './test';

const dashboard = (page: Page) => page.getByRole('heading', { name: 'Admin Dashboard' });
async function countOf(rows: string): Promise<number> {
  const [found] = await query<{ count: string }>(`SELECT count(*) FROM ${rows}`);
  return Number(found?.count);
}

const storedToken = (page: Page) => page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY);
const tabs = ['Pages', 'Conversion', 'Funnel', 'Security', 'Pricing Control'];
const refresh = (page: Page) => page.getByRole('button', { name: 'Refresh', exact: true });

test(
  'the console asks for a login, and opens with the right password',
  { tag: '@main' },
  async ({ page }) => {
    await page.goto('/admin');
    await expect(page).toHaveTitle('Tombola Admin');
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByText('Username is required')).toBeVisible();
    await expect(page.getByText('Password is required')).toBeVisible();

    await signIn(page, { ...staff, password: 'wrong' });
    await expect(page.getByRole('alert').filter({ hasText: 'Invalid credentials' })).toBeVisible();
    await expect(toast(page)).toContainText('Login failed');
    expect(await storedToken(page)).toBeNull();

    await signIn(page);
    await expect(dashboard(page)).toBeVisible();
    await expect(toast(page)).toContainText('Welcome to the admin dashboard');
    await page.reload();
    await expect(dashboard(page)).toBeVisible();
  },
);

test('leaving ends the session, on the server too', async ({ page }) => {
  const token = await openConsole(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByLabel('Username')).toBeVisible();
  await expect(toast(page)).toContainText('Logged out successfully');
  expect(await storedToken(page)).toBeNull();
  const answer = await page.request.get('/api/admin/analytics/dashboard', {
    headers: { 'X-Session-Token': token },
  });
  expect(answer.status()).toBe(401);
});

/**
 * As the server ends it: this page finds it out by the next request. A request in the background may be the first, so what
 * has the focus has it before.
 */
async function endSessionAndRefresh(page: Page, token: string) {
  await refresh(page).focus();
  const left = await page.request.post('/api/admin/logout', {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(left.ok()).toBe(true);
  await page.keyboard.press('Enter');
}

const logInAgain = (page: Page) => page.getByRole('alertdialog', { name: 'Log in again' });

test('a session that has ended asks to log in again, and covers what is behind', async ({
  page,
}) => {
  const token = await openConsole(page);
  await expect(figure(page, 'Total Users')).toHaveText(/\d/);
  await endSessionAndRefresh(page, token);
  const dialog = logInAgain(page);
  await expect(dialog).toContainText('Your session has ended. Please log in again.');
  await expect(dialog.getByLabel('Username')).toHaveValue(staff.username);
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await expect(page.getByText('Total Users')).toBeHidden();
  expect(await storedToken(page)).toBeNull();
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
  await expect(dialog).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await sideways(page)).toBe(0);

  await signIn(page);
  await expect(dialog).toHaveCount(0);
  await expect(figure(page, 'Total Users')).toHaveText(/\d/);
  await expect(refresh(page)).toBeFocused();

  await endSessionAndRefresh(page, (await storedToken(page)) ?? '');
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeFocused();
});

test('what was typed is still there after logging in again', async ({ page }) => {
  await openConsole(page, '?section=analytics&tab=pricing');
  await page.getByRole('button', { name: 'New package' }).click();
  const form = page.getByRole('dialog', { name: 'New package' });
  await form.getByLabel('Name', { exact: true }).fill('Half typed');
  await form.getByLabel('Description').fill('Not yet');
  await form.getByLabel('Entries').fill('5');
  await form.getByLabel('Price in dollars').fill('5');
  await endSessionsAt(page, '**/api/admin/entry-packages', query);
  await form.getByRole('button', { name: 'Create package' }).click();
  await expect(logInAgain(page)).toContainText('What you typed is still here.');
  await expect(form).toBeHidden();
  await signIn(page);
  await expect(logInAgain(page)).toHaveCount(0);
  await expect(form.getByLabel('Name', { exact: true })).toHaveValue('Half typed');
  await expect(form.getByRole('alert')).toContainText('Your session ended before this was done');
  await expect(form.getByRole('button', { name: 'Create package' })).toBeFocused();
});

test('Escape asks before it discards what was typed', async ({ page }) => {
  await openConsole(page, '?section=analytics&tab=pricing');
  await page.getByRole('button', { name: 'New package' }).click();
  const form = page.getByRole('dialog', { name: 'New package' });
  const asking = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await form.getByLabel('Name', { exact: true }).fill('Half typed');
  await page.keyboard.press('Escape');
  await asking.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByLabel('Name', { exact: true })).toBeFocused();
  // The browser holds back only some of these, and may close both dialogs with one.
  for (let time = 0; time < 5; time += 1) await page.keyboard.press('Escape');
  await expect(async () => {
    if (await asking.isHidden()) await page.keyboard.press('Escape');
    await expect(asking).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(await violations(page)).toEqual([]);
  await asking.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByLabel('Name', { exact: true })).toHaveValue('Half typed');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await asking.getByRole('button', { name: 'Discard' }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New package' })).toBeFocused();
});

test('two tabs sign in and out together', async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto('/admin');
  await expect(other.getByLabel('Username')).toBeVisible();
  await openConsole(page);
  await expect(dashboard(other)).toBeVisible();
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('You were logged out in another tab.')).toBeVisible();
});

test('the address holds tabs and filters; reload and back keep them', async ({ page }) => {
  await openConsole(page);
  await tab(page, 'Conversion').click();
  await page.getByLabel('Landing page').selectOption('fresh-sips');
  await expect(page).toHaveURL(/tab=conversion&landingPage=fresh-sips$/);
  await page.reload();
  await expect(page.getByLabel('Landing page')).toHaveValue('fresh-sips');
  await tab(page, 'Funnel').click();
  await expect(page.getByRole('heading', { name: 'Top Referrers' })).toBeVisible();
  await page.goBack();
  await expect(tab(page, 'Conversion')).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page.getByLabel('Landing page')).toHaveValue('');
  await page.goBack();
  await expect(tab(page, 'Pages')).toHaveAttribute('aria-selected', 'true');
});

test('what visitors do shows up, and the figures agree with the database', async ({ page }) => {
  await enter(page, '/kitchen-garden');
  const link = await referralLink(page);
  await page.context().clearCookies();
  await enter(page, new URL(link).pathname);
  await openConsole(page);

  const users = (await countOf('users')).toLocaleString('en-US');
  // One computation serves all tabs for a moment, so the newest figures may be a refresh away.
  await expect(async () => {
    await refresh(page).click();
    await expect(figure(page, 'Total Users')).toHaveText(users, { timeout: 500 });
  }).toPass();
  await expect(figure(page, 'Conversion Rate')).toHaveText(/^[\d,]+\.\d\d%$/);
  const row = page.getByRole('row', { name: /Kitchen Garden Essentials/ });
  const entered = await countOf("users WHERE landing_page = 'kitchen-garden'");
  await expect(row.getByRole('cell').first()).toContainText(String(entered));
  await expect(row.getByRole('link')).toHaveAttribute('href', '/kitchen-garden');

  await tab(page, 'Funnel').click();
  const code = link.split('/').pop() ?? '';
  await expect(page.getByRole('row', { name: new RegExp(code) }).first()).toBeVisible();
  await tab(page, 'Conversion').click();
  await expect(figure(page, 'Total Sessions')).not.toHaveText('0');
  await expect(page.getByRole('rowheader', { name: 'Sign Up' })).toBeVisible();
});

test('the console and the pages of visitors load no file of each other', async ({ page }) => {
  const files: string[] = [];
  page.on('request', (request) => files.push(new URL(request.url()).pathname));
  const assets = () => files.filter((file) => file.startsWith('/assets/'));
  await page.goto('/admin');
  await expect(page.getByLabel('Username')).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(assets().length).toBeGreaterThan(1);
  expect(assets().filter((file) => !file.startsWith('/assets/admin'))).toEqual([]);

  files.length = 0;
  await enter(page, '/garden-bag');
  await page.waitForLoadState('networkidle');
  expect(assets().length).toBeGreaterThan(1);
  expect(assets().filter((file) => file.startsWith('/assets/admin'))).toEqual([]);
});

test('the keyboard reaches the content, the tabs and the charts', async ({ page }) => {
  await openConsole(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await tab(page, 'Pages').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'Conversion')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/tab=conversion/);
});

test('axe finds nothing in the console, and nothing scrolls sideways', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/admin');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Username is required')).toBeVisible();
  expect(await violationsInBothSchemes(page), 'signing in').toEqual([]);
  await expectNoSidewaysScroll(page, 'signing in');
  await openConsole(page);
  for (const name of tabs) {
    await tab(page, name).click();
    await page.waitForLoadState('networkidle');
    expect(await violationsInBothSchemes(page), name).toEqual([]);
    await expectNoSidewaysScroll(page, name);
  }
});

test('the row of tabs shows the open one on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openConsole(page);
  await tab(page, 'Pricing Control').click();
  await page.reload();
  await expect(tab(page, 'Pricing Control')).toHaveAttribute('aria-selected', 'true');
  await expect(tab(page, 'Pricing Control')).toBeInViewport({ ratio: 1 });
});

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

test('a slow answer keeps the place of the figures', async ({ page }) => {
  await openConsole(page);
  await expect(page.getByRole('figure', { name: 'Page views' })).toBeVisible();
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/analytics/trends**', async (route) => {
    await arrival;
    await route.continue();
  });
  await page.getByRole('button', { name: '7 days' }).click();
  await expect(page.locator('.query[aria-busy=true]')).toBeVisible();
  await expect(page.getByRole('figure', { name: 'Page views' })).toBeVisible();
  arrive();
  await expect(page.locator('.query[aria-busy=true]')).toHaveCount(0);
});

test('great numbers fit at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const great = (figures: unknown): unknown =>
    JSON.parse(JSON.stringify(figures), (_, value: unknown) =>
      typeof value === 'number' ? 9_999_999 : value,
    );
  await page.route('**/api/admin/analytics/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: great(await response.json()) });
  });
  await enter(page, '/garden-bag');
  await openConsole(page);
  await expect(figure(page, 'Total Users')).toHaveText('9,999,999');
  for (const name of tabs) {
    await tab(page, name).click();
    await page.waitForLoadState('networkidle');
    expect(await sideways(page), name).toBe(0);
    const cut = await page
      .locator('.figure-value')
      .evaluateAll((values) =>
        values
          .filter((value) => value.scrollWidth > value.clientWidth)
          .map((value) => value.outerHTML),
      );
    expect(cut, name).toEqual([]);
  }
});
