import type { Browser, Page } from '@playwright/test';
import { violations, violationsInBothSchemes } from './axe';
import { testOnOwnServer } from './ownServer';
import { openConsole, signIn, tab } from './staff';
import { expect, expectNoSidewaysScroll, toast } from './test';
import { totp } from './totp';

const STAFF = '?section=settings&tab=staff';
const PASSWORD = 'a long sentence nobody guesses';

const test = testOnOwnServer();

const dialog = (page: Page) => page.getByRole('dialog');
const dashboard = (page: Page) => page.getByRole('heading', { name: 'Admin Dashboard' });
/** Whoever logs in again is where they were. */
const isIn = (page: Page) => page.getByRole('button', { name: 'Logout' });
const codeField = (page: Page) => page.getByLabel('6-digit code');

/** The owner of the server's settings invites somebody. Answers the link. */
async function invite(page: Page, name: string, role = 'Manager'): Promise<string> {
  await openConsole(page, STAFF);
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByLabel('Role').selectOption(role);
  await dialog(page).getByRole('button', { name: 'Make the invitation' }).click();
  const link = await page.getByLabel('The invitation link').inputValue();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('rowheader', { name })).toBeVisible();
  return link;
}

/** Somebody opens their link in a browser of their own and chooses a password. */
async function accept(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('New password again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(dashboard(page)).toBeVisible();
  return page;
}

const signInAs = (page: Page, username: string) => signIn(page, { username, password: PASSWORD });

/** The console notices by itself within half a minute, and at once when it asks for something. */
async function noticesItsEnd(page: Page) {
  const notice = page.getByText('Your session has ended. Please log in again.');
  await expect(async () => {
    if (await notice.isHidden()) {
      await page.getByRole('button', { name: 'Refresh', exact: true }).click({ timeout: 1_000 });
    }
    await expect(notice).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
}

/** Answers the key and the recovery codes. */
async function setUpSecondFactor(page: Page, username: string) {
  await page.getByRole('link', { name: `Your account: ${username}` }).click();
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  const picture = page.getByRole('img', { name: /QR code/ });
  await expect(picture).toBeVisible();
  // The policy of the page lets it through: it has a size of its own.
  const width = () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth);
  await expect.poll(width).toBeGreaterThan(0);
  expect(await violations(page)).toEqual([]);
  const secret = (await page.locator('.set-up-secret .code').textContent()) ?? '';
  await page.getByLabel('The 6-digit code that the app shows').fill(totp(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const items = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(items).toHaveCount(10);
  const codes = await items.allTextContents();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 recovery codes left')).toBeVisible();
  return { secret, codes };
}

const logOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByLabel('Username')).toBeVisible();
};

test(
  'a manager is invited, signs in with a code, and is disabled',
  { tag: '@main' },
  async ({ page, browser }) => {
    const link = await invite(page, 'ben');
    const manager = await accept(browser, link);
    expect(new URL(manager.url()).hash).toBe('');
    const { secret, codes } = await setUpSecondFactor(manager, 'ben');
    await logOut(manager);

    await signInAs(manager, 'ben');
    await expect(codeField(manager)).toBeFocused();
    expect(await violations(manager)).toEqual([]);
    await codeField(manager).fill('000000');
    await manager.getByRole('button', { name: 'Login' }).click();
    await expect(manager.locator('.problem')).not.toBeEmpty();
    // The code that set it up was used; apps show the next one within half a minute.
    const code = totp(secret, 1);
    await codeField(manager).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await manager.getByRole('button', { name: 'Login' }).click();
    await expect(isIn(manager)).toBeVisible();

    await manager.getByRole('link', { name: 'Settings' }).click();
    await expect(tab(manager, 'Approvals')).toBeVisible();
    await expect(tab(manager, 'Staff')).toHaveCount(0);
    await expect(manager.getByRole('heading', { name: 'Clear data' })).toHaveCount(0);
    await manager.goto(`/admin${STAFF}`);
    await expect(manager.getByRole('heading', { name: 'Not for your role' })).toBeVisible();

    await logOut(manager);
    const recover = async () => {
      await signInAs(manager, 'ben');
      await manager.getByRole('button', { name: 'Use a recovery code' }).click();
      await manager.getByLabel('Recovery code').fill(codes[0]?.toLowerCase() ?? '');
      await manager.getByRole('button', { name: 'Login' }).click();
    };
    await recover();
    await expect(isIn(manager)).toBeVisible();
    await logOut(manager);
    await recover();
    await expect(manager.locator('.problem')).not.toBeEmpty();
    await manager.getByLabel('Recovery code').fill(codes[1] ?? '');
    await manager.getByRole('button', { name: 'Login' }).click();
    await expect(isIn(manager)).toBeVisible();

    await page.reload();
    const row = page.getByRole('row', { name: /^ben/ });
    await expect(row).toContainText('Manager');
    await expect(row).toContainText('On');
    await row.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).dblclick();
    await expect(toast(page)).toContainText('ben is disabled');
    await expect(row).toContainText('Disabled');

    await manager.getByRole('link', { name: 'Analytics', exact: true }).click();
    await noticesItsEnd(manager);
    await manager.context().close();
  },
);

test('an owner with a second factor is asked for a code before staff are shown', async ({
  page,
  browser,
}) => {
  const link = await invite(page, 'dora', 'Owner');
  const phone = await accept(browser, link);
  const desk = await (await browser.newContext()).newPage();
  await desk.goto('/admin');
  await signInAs(desk, 'dora');
  await expect(dashboard(desk)).toBeVisible();
  const { secret } = await setUpSecondFactor(phone, 'dora');

  // No code was given in this session.
  await desk.goto(`/admin${STAFF}`);
  await expect(dialog(desk)).toContainText('Enter a code');
  await expect(codeField(desk)).toBeFocused();
  await codeField(desk).fill('000000');
  await dialog(desk).getByRole('button', { name: 'Continue' }).click();
  await expect(dialog(desk).getByRole('alert')).not.toBeEmpty();
  await codeField(desk).fill(totp(secret, 1));
  await dialog(desk).getByRole('button', { name: 'Continue' }).click();
  await expect(dialog(desk)).toHaveCount(0);
  await expect(desk.getByRole('rowheader', { name: 'dora' })).toBeVisible();
  await phone.context().close();
  await desk.context().close();
});

test('an invitation works once', async ({ page, browser }) => {
  const link = await invite(page, 'cleo', 'Viewer');
  const viewer = await accept(browser, link);
  await viewer.goto('/contact');
  await viewer.goto(link);
  await expect(
    viewer.getByRole('heading', { name: 'This invitation does not work any more' }),
  ).toBeVisible();
  await viewer.getByRole('button', { name: 'Go to the login' }).click(); // in this browser they are logged in
  await expect(dashboard(viewer)).toBeVisible();
  await expect(viewer.getByRole('link', { name: 'People' })).toHaveCount(0);
  await viewer.context().close();
});

test('sessions end from another browser', async ({ page, browser }) => {
  await openConsole(page);
  const other = await (await browser.newContext()).newPage();
  await openConsole(other, '?section=account');
  const rows = other.getByRole('table', { name: 'Your sessions' }).getByRole('row');
  await expect(rows.filter({ hasText: 'This one' })).toHaveCount(1);
  await other.getByRole('button', { name: 'Log out everywhere' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Log out everywhere' }).click();
  await expect(other.getByText('You were logged out everywhere.')).toBeVisible();
  await noticesItsEnd(page);
  await other.context().close();
});

test('axe finds nothing, and nothing scrolls sideways', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const screens = {
    [STAFF]: 'Staff',
    '?section=settings&tab=approvals': 'Waiting for approval',
    '?section=account': 'Where you are logged in',
  };
  for (const [address, heading] of Object.entries(screens)) {
    await openConsole(page, address);
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    expect(await violationsInBothSchemes(page), address).toEqual([]);
    await expectNoSidewaysScroll(page, address);
  }
});
