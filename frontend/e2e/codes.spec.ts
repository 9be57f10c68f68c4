import type { Page } from '@playwright/test';
import { violations } from './axe';
import { codeFor, newNumber, startProving, type Proving } from './proving';
import {
  expect,
  layoutShift,
  openYourEntry,
  phoneField,
  referralLink,
  submitButton,
  test as base,
  themes,
  tile,
  toast,
} from './test';

const test = base.extend<object, { proving: Proving }>({
  proving: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from it which fixtures are needed
    async ({}, use) => {
      const proving = await startProving();
      await use(proving);
      await proving.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: [({ proving }, use) => use(proving.origin), { scope: 'test' }],
});

const codeField = (page: Page) => page.getByLabel('6-digit code');
const stepTitle = (page: Page) => page.getByRole('heading', { name: 'Enter your code' });
const changeNumber = (page: Page) => page.getByRole('button', { name: 'Change number' });
const otherThan = (code: string) => (code === '111111' ? '222222' : '111111');

async function askForCode(page: Page, path: string, phone: string) {
  await page.goto(path);
  await phoneField(page).fill(phone);
  await submitButton(page).click();
  await expect(codeField(page)).toBeFocused();
}

async function enterWithCode(page: Page, proving: Proving, path: string, phone: string) {
  await askForCode(page, path, phone);
  await codeField(page).fill(await codeFor(proving, phone));
  await page.waitForURL(/\/success\/\d+$/);
}

for (const { key, name, success } of themes) {
  test(`${key} enters with the code of the text`, async ({ page, proving }) => {
    const phone = newNumber();
    await page.goto(`/${key}`);
    await expect(page.getByText(/^We'll text you a code/)).toBeVisible();
    await expect(
      page.getByText('Already entered? Enter the same number to see your entries.'),
    ).toBeVisible();
    await askForCode(page, `/${key}`, phone);
    await expect(page.getByText(`We texted a 6-digit code to ${phone}.`)).toBeVisible();
    await expect(page.getByText(/If you ever replied STOP, text START to/)).toContainText(
      '(212) 555-0100',
    );
    expect(await violations(page)).toEqual([]);
    // Typed as people see it in the text; the last digit sends it.
    const code = await codeFor(proving, phone);
    await codeField(page).pressSequentially(`${code.slice(0, 3)} ${code.slice(3)}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(success);
    await expect(toast(page)).toContainText(`You're now entered to win the ${name}!`);
    await page.reload();
    await expect(page.getByText(phone)).toBeVisible();
    expect(await proving.textsTo(phone)).toEqual([code]);
  });
}

test('nothing moves on the form of a server with codes', async ({ page }) => {
  for (const { key } of themes) {
    await page.goto(`/${key}`);
    await page.waitForLoadState('networkidle');
    await phoneField(page).focus();
    await expect(phoneField(page)).toHaveAttribute('aria-invalid', 'false');
    expect(await layoutShift(page), key).toBe(0);
  }
});

test(
  'a wrong code is named by the field, and the right one still counts',
  { tag: '@main' },
  async ({ page, proving }) => {
    const phone = newNumber();
    await askForCode(page, '/garden-bag', phone);
    const code = await codeFor(proving, phone);
    await codeField(page).pressSequentially(otherThan(code));
    await expect(page.getByText(/^That code isn't right\. \d tries left\.$/)).toBeVisible();
    await expect(codeField(page)).toBeFocused();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.type(code); // in the place of the wrong one, which is selected
    await page.waitForURL(/\/garden-bag\/success\/\d+$/);
  },
);

test('after five wrong codes a new one is needed', async ({ page, proving }) => {
  const phone = newNumber();
  await askForCode(page, '/garden-bag', phone);
  const code = await codeFor(proving, phone);
  for (let tries = 0; tries < 5; tries += 1) {
    const answered = page.waitForResponse('**/api/users/verify');
    await codeField(page).fill(String(Number(otherThan(code)) + tries).padStart(6, '0'));
    await answered;
    await expect(page.getByRole('button', { name: 'Confirm code' })).toBeVisible();
  }
  await codeField(page).fill(code);
  await expect(page.getByRole('alert')).toContainText('This code no longer works');
  await expect(phoneField(page)).toHaveValue(phone);
  await expect(phoneField(page)).toBeFocused();
  await page.getByRole('button', { name: 'Get a new code' }).click();
  await expect(codeField(page)).toBeFocused();
  await codeField(page).fill(await codeFor(proving, phone, 2));
  await page.waitForURL(/\/garden-bag\/success\/\d+$/);
});

test('a reload keeps the step, and asks for no other text', async ({ page, proving }) => {
  const phone = newNumber();
  await askForCode(page, '/kitchen-garden', phone);
  await page.reload();
  await expect(stepTitle(page)).toBeVisible();
  await expect(page.getByText(phone)).toBeVisible();
  await codeField(page).fill(await codeFor(proving, phone));
  await page.waitForURL(/\/kitchen-garden\/success\/\d+$/);
  expect(await proving.textsTo(phone)).toHaveLength(1);
  // The step is over: the form is what the back button leads to.
  await page.goBack();
  await expect(phoneField(page)).toHaveValue('');
});

test('a second tab begins with the number, which gets no second text', async ({
  page,
  context,
  proving,
}) => {
  const phone = newNumber();
  // This tab is not to learn by itself that the code was used.
  await page.route('**/api/users/verify/*', (route) => route.abort());
  await askForCode(page, '/garden-bag', phone);
  const code = await codeFor(proving, phone);
  const other = await context.newPage();
  await other.goto('/garden-bag');
  await expect(phoneField(other)).toHaveValue('');
  await askForCode(other, '/garden-bag', phone);
  await codeField(other).fill(code);
  await other.waitForURL(/\/garden-bag\/success\/\d+$/);

  await codeField(page).fill(otherThan(code)); // the right one would be taken again
  await expect(page.getByRole('alert')).toContainText('This code was used already');
  await expect(phoneField(page)).toHaveValue(phone);
  await submitButton(page).click(); // this browser has proved the number by now
  await page.waitForURL(other.url());
  expect(await proving.textsTo(phone)).toHaveLength(1);
});

for (const [how, goBack] of [
  ['the button', (page: Page) => changeNumber(page).click()],
  ['the back button', (page: Page) => page.goBack()],
] as const) {
  test(`${how} leads back to the number, and another one gets its own code`, async ({
    page,
    proving,
  }) => {
    const [wrong, right] = [newNumber(), newNumber()];
    await askForCode(page, '/fresh-sips', wrong);
    await goBack(page);
    await expect(phoneField(page)).toHaveValue(wrong);
    await expect(phoneField(page)).toBeFocused();
    await page.keyboard.type(right); // in the place of the first one, which is selected
    await submitButton(page).click();
    await expect(codeField(page)).toBeFocused();
    await codeField(page).fill(await codeFor(proving, right));
    await page.waitForURL(/\/fresh-sips\/success\/\d+$/);
    await expect(page.getByText(right)).toBeVisible();
  });
}

test('the keyboard alone is enough', async ({ page, proving }) => {
  const phone = newNumber();
  await page.goto('/garden-bag');
  await phoneField(page).focus();
  await page.keyboard.type(phone);
  await page.keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(await codeFor(proving, phone));
  await page.waitForURL(/\/garden-bag\/success\/\d+$/);
});

test("a friend's entry counts once the code is confirmed", async ({ page, browser, proving }) => {
  await enterWithCode(page, proving, '/fresh-sips', newNumber());
  const link = await referralLink(page);
  const friends = await browser.newContext();
  const friend = await friends.newPage();
  const phone = newNumber();
  await askForCode(friend, link, phone);
  await page.reload();
  await expect(tile(page, 'Total Entries')).toHaveText('1');
  await codeField(friend).fill(await codeFor(proving, phone));
  await expect(toast(friend)).toContainText("You've been entered via referral link.");
  await friends.close();
  await page.reload();
  await expect(tile(page, 'Total Entries')).toHaveText('2');
});

test('a returning entrant gets the page back in another browser', async ({
  page,
  browser,
  baseURL,
  proving,
}) => {
  const phone = newNumber();
  await enterWithCode(page, proving, '/sustainable-living', phone);
  const own = page.url();

  const elsewhere = await browser.newContext({ ...(baseURL && { baseURL }) });
  const other = await elsewhere.newPage();
  await other.goto(own);
  await expect(other.getByText(`***-***-${phone.slice(-4)}`)).toBeVisible();
  await askForCode(other, '/garden-bag', phone);
  await codeField(other).fill(await codeFor(proving, phone, 2));
  await other.waitForURL(own);
  await expect(other.getByText(/^This number is already entered to win/)).toBeVisible();
  await expect(other.getByText(phone)).toBeVisible();
  await expect(toast(other)).toHaveCount(0);

  // From now on without a code.
  await other.goto('/garden-bag');
  await phoneField(other).fill(phone);
  await submitButton(other).click();
  await other.waitForURL(own);
  expect(await proving.textsTo(phone)).toHaveLength(2);

  // Until the first browser signs the others out.
  await openYourEntry(page);
  await page.getByText('Your data', { exact: true }).click();
  await page.getByRole('button', { name: 'Sign out other browsers' }).dblclick();
  await expect(page.getByText('Other browsers are signed out.')).toBeVisible();
  await other.goto(own);
  await expect(other.getByText(`***-***-${phone.slice(-4)}`)).toBeVisible();
  await expect(other.getByRole('link', { name: 'Your entry and your data' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByText(phone)).toBeVisible();
  await elsewhere.close();
});

test('offline keeps the code, and works once there is a network again', async ({
  page,
  context,
  proving,
}) => {
  const phone = newNumber();
  await askForCode(page, '/garden-bag', phone);
  const code = await codeFor(proving, phone);
  await context.setOffline(true);
  await codeField(page).fill(code);
  await expect(page.getByRole('alert')).toContainText('You seem to be offline');
  await expect(codeField(page)).toHaveValue(code);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Confirm code' }).click();
  await page.waitForURL(/\/garden-bag\/success\/\d+$/);
});

test('a step whose file does not arrive can be tried again, without another text', async ({
  page,
  proving,
}) => {
  const phone = newNumber();
  await page.route('**/assets/code-step.*.js', (route) => route.abort());
  await page.goto('/garden-bag');
  await phoneField(page).fill(phone);
  await submitButton(page).click();
  // It has reloaded once by itself, and the file is still missing.
  const reload = page.getByRole('link', { name: 'Reload the page' });
  await expect(reload).toBeVisible();
  await expect(phoneField(page)).toHaveValue(phone);
  await page.unrouteAll();
  await reload.click();
  await codeField(page).fill(await codeFor(proving, phone));
  await page.waitForURL(/\/garden-bag\/success\/\d+$/);
  expect(await proving.textsTo(phone)).toHaveLength(1);
});

base('the code is sent again after the countdown, and only the newest counts', async ({ page }) => {
  base.setTimeout(180_000); // a minute of them is the countdown
  const proving = await startProving({ RATE_LIMITS: 'on' });
  try {
    const phone = newNumber();
    await askForCode(page, `${proving.origin}/garden-bag`, phone);
    await expect(page.getByText(/^Send again in \d+\ss$/)).toBeVisible();
    const first = await codeFor(proving, phone);
    await page.reload(); // the countdown goes on
    await expect(page.getByText(/^Send again in \d+\ss$/)).toBeVisible();
    await page.getByRole('button', { name: 'Send again' }).dblclick({ timeout: 90_000 });
    await expect(page.getByText('We sent a new code. Use that one.')).toBeVisible();
    await expect(page.getByText(/^Send again in \d+\ss$/)).toBeVisible();
    const second = await codeFor(proving, phone, 2);
    if (first !== second) {
      await codeField(page).fill(first);
      await expect(page.getByText(/^That code isn't right/)).toBeVisible();
    }
    await codeField(page).fill(second);
    await page.waitForURL(/\/garden-bag\/success\/\d+$/);
  } finally {
    await proving.stop();
  }
});
