import { expect, test as base, type Page, type Route } from '@playwright/test';

/** Every page of every test runs without an error of its own: no exception, no CSP violation, no React warning. */
export const test = base.extend<{ cleanConsole: void }>({
  cleanConsole: [
    async ({ context, browser }, use) => {
      const errors: string[] = [];
      const listen = (page: Page) => {
        page.on('pageerror', (error) => errors.push(error.message));
        page.on('console', (message) => {
          // Failed requests are ignored: a test that causes them checks them itself.
          // So is what Playwright and axe try to run in the preview of a raffle, which runs nothing.
          const ignored =
            /^Failed to load resource|^Blocked script execution in 'about:(srcdoc|blank)'/;
          if (message.type() === 'error' && !ignored.test(message.text())) {
            errors.push(message.text());
          }
        });
      };
      context.on('page', listen);
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const made = await newContext(options);
        made.on('page', listen);
        return made;
      };
      await use();
      browser.newContext = newContext;
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };

let count = 0;

/** A number of New York that nobody has entered with in this run. Numbers of other countries may not enter. */
export function newPhone(): string {
  count += 1;
  const worker = 200 + Number(process.env.TEST_WORKER_INDEX ?? 0);
  return `(646) ${worker}-${String(count).padStart(4, '0')}`;
}

export const phoneField = (page: Page) => page.getByLabel('Phone number');
export const submitButton = (page: Page) => page.locator('button[type=submit]');

/** Opens a sign-up page and enters; ends on the success screen. */
export async function enter(page: Page, path: string, phone = newPhone()): Promise<string> {
  await page.goto(path);
  await phoneField(page).fill(phone);
  await submitButton(page).click();
  await page.waitForURL(/\/success\/\d+$/);
  return phone;
}

/** The address that the field shows without its scheme. */
export async function referralLink(page: Page): Promise<string> {
  const field = page.getByLabel('Your referral link');
  await expect(field).toHaveValue(/\/ref\/\w+$/);
  return `${new URL(page.url()).protocol}//${await field.inputValue()}`;
}

/** Touches a success page until React has it, with all that only React shows; other pages stay as they are. */
export async function alive(page: Page) {
  if (!(await page.evaluate(() => window.early?.take !== undefined))) return;
  await page.mouse.move(4, 4);
  await page.mouse.move(8, 8);
  await page.waitForFunction(() => window.early === undefined);
  await page.waitForLoadState('networkidle');
}

/**
 * Handles the first request to an address; the others go on. A route with `times: 1` turns interception off while other
 * requests are on their way. One of those once got no answer.
 */
export function routeFirst(page: Page, address: string, handle: (route: Route) => unknown) {
  let isFirst = true;
  return page.route(address, (route) => {
    if (!isFirst) return route.fallback();
    isFirst = false;
    return handle(route);
  });
}

/** Radix says a toast's text a second time for screen readers: this is the one that is seen. */
export const toast = (page: Page) => page.locator('.toast');

/** The figure of one of the three tiles. */
export const tile = (page: Page, label: string) =>
  page.locator('.tile', { hasText: label }).locator('dd');

export const themes = [
  { key: 'garden-bag', name: 'Garden Bag Essentials', success: 'Garden Bag Success!' },
  { key: 'fresh-sips', name: 'Fresh Sips Mixology Kit', success: 'Fresh Sips Success!' },
  { key: 'kitchen-garden', name: 'Kitchen Garden Essentials', success: 'Kitchen Garden Success!' },
  {
    key: 'sustainable-living',
    name: 'Sustainable Living Starter Kit',
    success: 'Sustainable Living Success!',
  },
];

/** Every address that needs no entrant. */
export const openPaths = [
  '/',
  ...themes.map(({ key }) => `/${key}`),
  ...themes.map(({ key }) => `/${key}/ref/CDFG3467`),
  '/ref/CDFG3467',
  '/welcome',
  '/terms',
  '/privacy',
  '/contact',
  '/drawings',
  '/drawings/999999',
  `/claim/${'0'.repeat(32)}`,
  ...['garden', 'fresh', 'kitchen', 'sustainable'].map((word) => `/planter/${word}-preview2345`),
  '/nowhere',
];

export const successPaths = (id: string) => [
  ...themes.map(({ key }) => `/${key}/success/${id}`),
  `/success/${id}`,
];

/** The screens behind them. */
export const entryPaths = (id: string) => successPaths(id).map((path) => `${path}/your-entry`);

/** From the success page to the screen behind it. */
export async function openYourEntry(page: Page) {
  await page.getByRole('link', { name: 'Your entry and your data' }).click();
  await page.waitForURL(/\/success\/\d+\/your-entry$/);
}

/** Expects that nothing scrolls sideways, from the narrowest phone to a wide screen. */
export async function expectNoSidewaysScroll(page: Page, state?: string) {
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), state).toBe(width);
  }
}

/** The sum of all layout shifts since the page began (CLS, without its windows). */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let total = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            total += (entry as unknown as { value: number }).value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(total)));
      }),
  );
}
