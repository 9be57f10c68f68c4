import { query } from './database';
import {
  enter,
  expect,
  layoutShift,
  newPhone,
  phoneField,
  referralLink,
  submitButton,
  test,
  themes,
  tile,
  toast,
} from './test';

const digits = (phone: string) => `+1${phone.replace(/\D/g, '')}`;

const entrantsWith = (phone: string) =>
  query('SELECT 1 FROM users WHERE phone_number = $1', [digits(phone)]);

test(
  'a friend enters through the link, and the entries go up',
  { tag: '@main' },
  async ({ page, browser }) => {
    await enter(page, '/fresh-sips');
    await expect(tile(page, 'Total Entries')).toHaveText('1');
    await expect(page.getByText('Your Referrals')).toHaveCount(0);
    const link = await referralLink(page);

    const friends = await browser.newContext();
    const friend = await friends.newPage();
    await friend.goto(link);
    await expect(friend.getByText('Bonus Entry! You were referred by someone')).toBeVisible();
    const friendsPhone = newPhone();
    await phoneField(friend).fill(friendsPhone);
    await submitButton(friend).click();
    await expect(toast(friend)).toContainText('Successfully registered!');
    await expect(toast(friend)).toContainText("You've been entered via referral link.");
    await friends.close();

    await page.reload();
    await expect(tile(page, 'Total Entries')).toHaveText('2');
    await expect(tile(page, 'Friends Referred')).toHaveText('1');
    await expect(tile(page, 'Bonus Entries')).toHaveText('0');
    await expect(page.getByRole('region', { name: 'Your Referrals' })).toContainText(friendsPhone);
  },
);

test('a link counts through the rules and another page, whatever a message put behind it', async ({
  page,
  browser,
}) => {
  await enter(page, '/garden-bag');
  const link = await referralLink(page);
  const friends = await browser.newContext();
  const friend = await friends.newPage();
  const banner = friend.getByText('Bonus Entry! You were referred by someone');
  await friend.goto(`${link}%E2%80%9D).&fbclid=1`);
  await expect(banner).toBeVisible();
  await friend.getByRole('link', { name: 'official rules' }).first().click();
  await friend.getByRole('link', { name: /all raffles/ }).click();
  await friend
    .getByRole('link', { name: /Fresh Sips/ })
    .first()
    .click();
  await expect(banner).toBeVisible();
  expect(await layoutShift(friend)).toBe(0);
  await phoneField(friend).fill(newPhone());
  await submitButton(friend).click();
  await expect(toast(friend)).toContainText("You've been entered via referral link.");
  await friend.goto('/fresh-sips');
  await expect(banner).toBeHidden();
  await friends.close();
  await page.reload();
  await expect(tile(page, 'Friends Referred')).toHaveText('1');
});

for (const { key, name, success } of themes) {
  test(`${key} takes an entry and shows its own success screen`, async ({ page, browser }) => {
    const phone = await enter(page, `/${key}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(success);
    await expect(toast(page)).toContainText('Registration successful!');
    await expect(toast(page)).toContainText(`You're now entered to win the ${name}!`);
    await expect(page.getByText(`You're entered to win the ${name}.`)).toBeVisible();
    expect(await referralLink(page)).toContain(`/${key}/ref/`);
    await expect(page).toHaveURL(new RegExp(`/${key}/success/\\d+$`));
    await expect(page).toHaveTitle(`${success} | Tombola`);

    await page.reload();
    await expect(page.getByText(phone)).toBeVisible();

    const elsewhere = await browser.newContext();
    const bookmark = await elsewhere.newPage();
    await bookmark.goto(page.url());
    await expect(bookmark.getByText(`***-***-${phone.slice(-4)}`)).toBeVisible();
    await expect(bookmark.getByText(phone)).toHaveCount(0);
    await elsewhere.close();
  });
}

test('the page without a theme enters garden-bag and ends on the generic screen', async ({
  page,
}) => {
  await enter(page, '/garden-bag');
  const code = (await referralLink(page)).split('/').pop() ?? '';
  await enter(page, `/ref/${code}`);
  await expect(page).toHaveURL(/^[^/]+\/\/[^/]+\/success\/\d+$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("You're Entered!");
  await expect(page.getByText(/^Your Entries/)).toContainText('1');
  await expect(page.getByText('No referrals yet. Share your link to get started!')).toBeVisible();
});

test('the back button returns to the form, and forward to the entries', async ({ page }) => {
  await enter(page, '/garden-bag');
  await page.goBack();
  await expect(phoneField(page)).toHaveValue('');
  await page.goForward();
  await expect(tile(page, 'Total Entries')).toHaveText('1');
});

test('a number that only the server can refuse is named by the field', async ({ page }) => {
  await page.goto('/garden-bag');
  await phoneField(page).fill('----------');
  await submitButton(page).click();
  await expect(page.locator('#phone-error')).toHaveText('Please enter a valid phone number.');
  await expect(phoneField(page)).toBeFocused();
});

test('a double click makes one request and one entrant', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/users/register')) calls.push(request.url());
  });
  const phone = newPhone();
  await page.goto('/garden-bag');
  await phoneField(page).fill(phone);
  await submitButton(page).dblclick();
  await page.waitForURL(/\/success\/\d+$/);
  expect(calls).toHaveLength(1);
  expect(await entrantsWith(phone)).toHaveLength(1);
});

test('two tabs at once make one entrant', async ({ page, context }) => {
  const phone = newPhone();
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto('/garden-bag');
    await phoneField(tab).fill(phone);
  }
  await Promise.all([page, other].map((tab) => submitButton(tab).click()));
  await Promise.all([page, other].map((tab) => tab.waitForURL(/\/success\/\d+$/)));
  expect(page.url()).toBe(other.url());
  expect(await entrantsWith(phone)).toHaveLength(1);
});

test('an entrant who enters again gets to their own raffle, and is told so', async ({ page }) => {
  const phone = await enter(page, '/kitchen-garden');
  const own = page.url();
  await page.goto('/garden-bag');
  await phoneField(page).fill(`+1 ${phone}`);
  await submitButton(page).click();
  await page.waitForURL(own);
  await expect(
    page.getByText('This number is already entered to win the Kitchen Garden Essentials.'),
  ).toBeVisible();
  await expect(toast(page)).toHaveCount(0);
  await expect(tile(page, 'Total Entries')).toHaveText('1');
});

test('an unknown code offers to enter without it', async ({ page }) => {
  await page.goto('/fresh-sips/ref/NNNNNNNN');
  const phone = newPhone();
  await phoneField(page).fill(phone);
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toContainText("don't recognize this code");
  await expect(phoneField(page)).toHaveValue(phone);
  await page.getByRole('button', { name: 'Enter without a referral' }).click();
  await page.waitForURL(/\/fresh-sips\/success\/\d+$/);
  await expect(toast(page)).toContainText('Registration successful!');
});

test('an unknown id shows the way back', async ({ page }) => {
  await page.goto('/garden-bag/success/999999999');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We cannot find this entry');
  await page.getByRole('link', { name: 'Go to the raffle' }).click();
  await expect(page).toHaveURL(/\/garden-bag$/);
});

test('offline keeps the number, and works once there is a network again', async ({
  page,
  context,
}) => {
  const phone = newPhone();
  await page.goto('/garden-bag');
  await phoneField(page).fill(phone);
  await page.waitForLoadState('networkidle'); // the application is there
  await context.setOffline(true);
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toContainText('You seem to be offline');
  await expect(phoneField(page)).toHaveValue(phone);
  await expect(submitButton(page)).toHaveText('Enter Free Raffle Now');
  await context.setOffline(false);
  await submitButton(page).click();
  await page.waitForURL(/\/success\/\d+$/);
});

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test(`at ${viewport.width} px the toast lies above what is read`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await enter(page, '/kitchen-garden');
    await expect(toast(page)).toBeVisible();
    const shown = await toast(page).boundingBox();
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(title?.y ?? 0);
  });
}

test('on a wide screen the form begins level with the title', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/garden-bag');
  const label = await page.getByText('Phone number', { exact: true }).boundingBox();
  const title = await page.getByRole('heading', { level: 1 }).boundingBox();
  expect(Math.abs((label?.y ?? 0) - (title?.y ?? 0))).toBeLessThanOrEqual(8);
});
