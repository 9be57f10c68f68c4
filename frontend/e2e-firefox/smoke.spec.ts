import { expect, test } from '@playwright/test';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { staff } from '../e2e/server';

const origin = process.env.E2E_ORIGIN ?? ''; // set by the global setup
const executablePath = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';

let browser: Browser;
let page: Page;
const errors: string[] = [];

test.beforeAll(async () => {
  browser = await launch({ browser: 'firefox', executablePath });
  page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
});

test.afterAll(() => browser.close());

/** What the page answers once it is neither empty nor false. */
async function until<Answer>(ask: () => Answer): Promise<NonNullable<Answer>> {
  const answer = await page.waitForFunction(ask);
  return (await answer.jsonValue()) as NonNullable<Answer>;
}

const text = (selector: string) =>
  page
    .locator(selector)
    .map((element) => element.textContent)
    .wait();

test('Firefox enters, shares, shows the drawings and opens the console', async () => {
  await page.goto(`${origin}/garden-bag`);
  await page.locator('#phone').fill('(212) 555-0123');
  await page.locator('button[type=submit]').click();
  await until(() => /^\/garden-bag\/success\/\d+$/.test(location.pathname));
  expect(await text('h1')).toBe('Garden Bag Success!');
  const own = new URL(page.url()).pathname;
  const link = await until(
    () =>
      document
        .querySelector<HTMLTextAreaElement>('#referral-link')
        ?.value.match(/.+\/ref\/.+/)?.[0],
  );

  await page.goto(`http://${link}`); // the page shows it without its scheme
  await until(() => document.querySelector('.way-back:not([hidden])'));
  expect(await page.$eval('.way-back', (element) => element.getAttribute('href'))).toBe(own);

  const friends = await browser.createBrowserContext();
  const friend = await friends.newPage();
  await friend.goto(`http://${link}`);
  expect(await friend.$eval('.referred', (element) => element.textContent)).toContain(
    'Bonus Entry! You were referred by someone',
  );
  await friends.close();

  await page.goto(`${origin}/drawings`);
  await until(() =>
    document.querySelector('[aria-labelledby=past] p')?.textContent?.startsWith('No drawings yet'),
  );

  await page.goto(`${origin}/admin`);
  await page.locator('[autocomplete=username]').fill(staff.username);
  await page.locator('[autocomplete=current-password]').fill(staff.password);
  await page.locator('button[type=submit]').click();
  await until(() => document.querySelector('.figure-value')?.textContent === '1');
  expect(await text('h1')).toBe('Admin Dashboard');

  expect(errors).toEqual([]);
});
