import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { violations, violationsInBothSchemes } from './axe';
import { freshServer } from './server';
import {
  alive,
  enter,
  entryPaths,
  expect,
  layoutShift,
  openPaths,
  submitButton,
  successPaths,
  test,
  themes,
  tile,
  toast,
} from './test';

/** All pages: the open ones, and the success screens of somebody with three friends. */
async function allPaths(page: Page): Promise<string[]> {
  await enter(page, '/garden-bag');
  const id = page.url().split('/').pop() ?? '';
  return [...openPaths, ...successPaths(id), ...entryPaths(id), '/garden-bag/success/999999999'];
}

/** Until the success screens have their figures; the other pages are there at once. */
async function settled(page: Page) {
  await page.waitForLoadState('networkidle');
  await expect(page.locator('.waiting')).toHaveCount(0);
  await alive(page);
}

test('an unknown address is a 404 with a page', async ({ page }) => {
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page).toHaveTitle(/^404 Page Not Found/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
});

test('the generic landing page leads to the four raffles', async ({ page }) => {
  await page.goto('/welcome');
  await expect(
    page.getByText('This is the main page. Visit our product landing pages to enter giveaways.'),
  ).toContainText('One raffle per phone number.');
  await page.getByRole('link', { name: /Kitchen Garden Essentials/ }).click();
  await expect(page).toHaveURL(/\/kitchen-garden$/);
});

test('the links of the footer lead to real pages', async ({ page }) => {
  for (const name of ['Drawings', 'Terms & Conditions', 'Privacy Policy', 'Contact Us']) {
    await page.goto('/garden-bag');
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page).not.toHaveTitle(/404/);
  }
});

test('the legal pages name who runs this server, its zone and its cookie', async ({ page }) => {
  const settings = {
    SITE_TIME_ZONE: 'Europe/Berlin',
    SITE_NAME: 'Bees & Co.',
    CONTACT_EMAIL: 'help@raffle.example',
    SPONSOR_NAME: 'Bees "& Honey" <Inc.>',
    SPONSOR_ADDRESS: '12 Elm Street, Springfield, IL 62701',
  };
  const server = await freshServer(settings);
  try {
    await page.goto(`${server.origin}/terms`);
    const zone = page.getByText('in the time zone of this site (Europe/Berlin)');
    await expect(zone.first()).toBeVisible();
    const sponsor = 'run by Bees "& Honey" <Inc.>, 12 Elm Street, Springfield, IL 62701 (“we”)';
    await expect(page.getByText(sponsor)).toBeVisible();
    await page.goto(`${server.origin}/privacy`);
    await expect(page.getByText('Entering sets the cookie “visitor”.')).toBeVisible();
    const address = page.getByRole('link', { name: 'help@raffle.example' }).first();
    await expect(address).toHaveAttribute('href', 'mailto:help@raffle.example');
    await expect(page.getByText(sponsor)).toBeVisible();
    await page.getByRole('link', { name: 'Contact Us' }).click();
    await expect(page).toHaveURL(/\/contact$/);
    await expect(address).toHaveAttribute('href', 'mailto:help@raffle.example');
    for (const path of ['/terms', '/privacy', '/contact']) {
      const html = await (await page.request.get(server.origin + path)).text();
      expect(html, path).not.toMatch(/%[A-Z_]{3,}%/);
    }
  } finally {
    await server.stop();
  }
});

test('pages have the name of this site before and after React has loaded', async ({ page }) => {
  const server = await freshServer({ SITE_NAME: 'Bees & Co.' });
  const problems: string[] = [];
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource'); // no drawing is announced: 409
    if (message.type() === 'error' && !isAnswer) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  try {
    const brand = page.getByRole('link', { name: 'Bees & Co., all raffles' });
    await page.goto(`${server.origin}/garden-bag`);
    await expect(page).toHaveTitle(/ \| Bees & Co\.$/);
    await expect(brand).toHaveText('Bees & Co.');
    await page.getByRole('textbox', { name: /phone/i }).focus(); // loads React
    await page.waitForFunction(() => window.early === undefined);
    await expect(brand).toHaveText('Bees & Co.');
    await page.goto(`${server.origin}/drawings`);
    await expect(page).toHaveTitle('Drawings | Bees & Co.');
    await expect(brand).toHaveText('Bees & Co.');
    await page.goto(`${server.origin}/admin`);
    await expect(page).toHaveTitle('Bees & Co. Admin');
    await expect(page.getByRole('banner')).toContainText('Bees & Co. Admin');
    const manifest = await page.request.get(`${server.origin}/site.webmanifest`);
    expect(await manifest.json()).toMatchObject({ name: 'Bees & Co.' });
    for (const path of ['/', '/welcome', '/garden-bag', '/drawings', '/terms', '/admin']) {
      const html = await (await page.request.get(server.origin + path)).text();
      expect(html, path).not.toMatch(/Tombola|%[A-Z_]{3,}%/);
    }
    expect(problems).toEqual([]);
  } finally {
    await server.stop();
  }
});

test('the official rules are shown with their version and hash', async ({ page }) => {
  const server = await freshServer({
    SPONSOR_NAME: 'Honey, Inc.',
    SPONSOR_ADDRESS: '12 Elm Street',
  });
  try {
    await page.goto(`${server.origin}/welcome`);
    await page.getByRole('link', { name: 'Terms & Conditions' }).click();
    await expect(page).toHaveURL(/\/rules$/);
    await expect(page).toHaveTitle('Official rules | Tombola');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Official rules');
    await expect(page.getByText('run by Honey, Inc., 12 Elm Street')).toBeVisible();
    await expect(page.getByText('(shown here)')).toBeVisible();
    const answer = await page.request.get(`${server.origin}/api/rules`);
    const { text, hash } = (await answer.json()) as { text: string; hash: string };
    expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    await expect(page.getByText(hash).first()).toBeVisible();
    await page.getByRole('link', { name: 'Version 1', exact: true }).click();
    await expect(page.getByText('run by Honey, Inc., 12 Elm Street')).toBeVisible();
    await page.goto(`${server.origin}/rules/99`);
    await expect(page.getByText('There is no such version of the rules.')).toBeVisible();
    await page.getByRole('link', { name: 'See the rules of this month' }).click();
    await expect(page.getByRole('heading', { name: 'All versions' })).toBeVisible();
  } finally {
    await server.stop();
  }
});

test('rules without a sponsor say that they show placeholders', async ({ page }) => {
  await page.goto('/terms');
  await expect(page.getByText('placeholder: SPONSOR_NAME is not set')).toBeVisible();
});

test('the rules read without JavaScript, at both of their addresses', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 1280, height: 800 }, // the contents are open
    ...(baseURL && { baseURL }),
  });
  const page = await context.newPage();
  for (const path of ['/rules', '/terms']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Official rules');
    await expect(page.getByRole('region', { name: 'In short' })).toContainText('Monthly raffles.');
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/rules$/);
    await page.getByRole('link', { name: 'How a prize is claimed' }).click();
    await expect(page.locator('#claiming')).toBeInViewport();
    await expect(page.getByText('Loading...')).toBeHidden();
  }
  await context.close();
});

test('the skip link goes past the header', async ({ page }) => {
  await page.goto('/garden-bag');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
});

test('a link within a page scrolls to its place and leaves the title alone', async ({ page }) => {
  await page.goto('/drawings');
  await page.waitForLoadState('networkidle');
  const title = page.getByRole('heading', { level: 1 });
  await title.evaluate((h1) =>
    h1.addEventListener('focus', () => h1.setAttribute('data-jump', '')),
  );
  await page.getByRole('link', { name: 'How a drawing works' }).click();
  await expect(page).toHaveURL(/#how$/);
  await expect(page.locator('#how')).toBeInViewport();
  await page.goBack(); // a change of the hash too
  await expect(page).toHaveURL(/\/drawings$/);
  // The page has heard of the change by the second frame.
  await page.evaluate(
    () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))),
  );
  await expect(title).not.toHaveAttribute('data-jump');
});

test('axe finds nothing on any page, and none is too wide or too small for a finger at 320 px', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const path of await allPaths(page)) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    await settled(page);
    expect(await violationsInBothSchemes(page), path).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    const measured = await page.evaluate(() => ({
      sideways: document.documentElement.scrollWidth - window.innerWidth,
      small: [...document.querySelectorAll('button, input[type=tel], nav a, .brand, .button')]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
        .map((element) => element.outerHTML),
    }));
    expect(measured, path).toEqual({ sideways: 0, small: [] });
  }
});

test('axe finds nothing on a form with its errors and its toast', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/garden-bag/ref/NNNNNNNN');
  await submitButton(page).click();
  await expect(toast(page)).toContainText('Invalid phone number');
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Phone number').fill('5551234567');
  await submitButton(page).click();
  await expect(page.getByRole('button', { name: 'Enter without a referral' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

for (const font of ['with', 'without']) {
  test(`great numbers and long words fit at 320 px, ${font} its font`, async ({ page }) => {
    if (font === 'without') await page.route('**/*.woff2', (route) => route.abort());
    await enter(page, '/garden-bag');
    await page.route('**/stats', (route) =>
      route.fulfill({
        json: {
          totalEntries: 9_999_999,
          referralCount: 9_999_999,
          baseEntries: 1,
          bonusEntries: 1,
          paidEntries: 9_999_999,
          entriesOnHold: 9_999_999,
        },
      }),
    );
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of successPaths(page.url().split('/').pop() ?? '')) {
      await page.goto(path);
      await expect(tile(page, 'Total Entries')).toHaveText('9,999,999');
      const cut = await page.evaluate(
        () =>
          [...document.querySelectorAll('.tile dd')].filter((dd) => dd.scrollWidth > dd.clientWidth)
            .length,
      );
      expect(cut, path).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
    }
  });
}

test("a phone's first screen has the field and the button", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 });
  const paths = themes.flatMap(({ key }) => [`/${key}`, `/${key}/ref/CDFG3467`]);
  for (const path of [...paths, '/ref/CDFG3467']) {
    await page.goto(path);
    const button = (await submitButton(page).boundingBox())!;
    expect(button.y + button.height, path).toBeLessThanOrEqual(664);
    expect(await layoutShift(page), path).toBe(0);
  }
});
