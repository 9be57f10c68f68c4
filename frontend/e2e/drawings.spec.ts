import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { APIRequestContext, Page } from '@playwright/test';
import { violations, violationsInBothSchemes } from './axe';
import { testOnOwnServer } from './ownServer';
import { newSession } from './staff';
import { enter, expect, layoutShift, newPhone, routeFirst } from './test';

const test = testOnOwnServer();

interface Drawn {
  id: number;
  winningEntryNumber: number;
}

async function perform(page: Page, landingPage: string): Promise<Drawn> {
  const answer = await page.request.post('/api/admin/drawing/perform', {
    headers: { Authorization: `Bearer ${await newSession(page)}` },
    data: { landingPage },
  });
  expect(answer.status()).toBe(201);
  return (await answer.json()) as Drawn;
}

async function enterOthers(request: APIRequestContext, landingPage: string, count: number) {
  for (let index = 0; index < count; index += 1) {
    const data = { phoneNumber: newPhone(), landingPage };
    expect((await request.post('/api/users/register', { data })).status()).toBe(201);
  }
}

const part = (page: Page, name: string) => page.getByRole('region', { name });
/** A short list is checked without it. */
const checkButton = (page: Page) =>
  page.getByRole('button', { name: /^Check (it yourself|again)$/ });
const openFold = (page: Page, name: string) => part(page, name).locator('summary').first().click();
const verdict = (page: Page) => page.locator('.verdict');

test('before the first drawing the page says so', async ({ page }) => {
  await page.goto('/garden-bag');
  await page.getByRole('link', { name: 'Drawings', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Drawings');
  await expect(page.getByText('No drawings yet.')).toBeVisible();
});

test(
  'a drawing and its check, by an entrant and by a stranger',
  { tag: '@main' },
  async ({ page, browser, baseURL }) => {
    await enter(page, '/garden-bag');
    await enterOthers(page.request, 'garden-bag', 4);
    const { id, winningEntryNumber } = await perform(page, 'garden-bag');

    await page.goto('/drawings');
    await page.locator('.drawn > li').first().click();
    await expect(page).toHaveURL(new RegExp(`/drawings/${id}$`));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Drawing of \w+ \d+, \d{4}$/);
    await expect(page).toHaveTitle(/^Drawing of .* \| Tombola$/);
    await expect(part(page, 'Drawn entry').locator('.figure')).toHaveText(`${winningEntryNumber}`);

    await checkButton(page).dblclick();
    await expect(verdict(page)).toContainText('All 11 checks passed.');
    await expect(page.locator('.checks [data-state=ok]')).toHaveCount(11);
    await openFold(page, 'The checks, one by one');
    await expect(page.getByText('5 of 5 lines read')).toBeVisible();
    await expect(part(page, 'Were you in?')).toContainText('Checked in your browser');

    const stranger = await browser.newContext({ ...(baseURL && { baseURL }) });
    const theirs = await stranger.newPage();
    await theirs.goto(`/drawings/${id}`);
    await expect(theirs.getByText('This browser has no entry in this drawing.')).toBeVisible();
    await stranger.close();
  },
);

test('the files of a drawing pass the other verifier', async ({ page }) => {
  await enterOthers(page.request, 'sustainable-living', 9);
  const { id } = await perform(page, 'sustainable-living');
  await page.goto(`/drawings/${id}`);
  await openFold(page, 'Hashes, files and other ways to check');
  const folder = await mkdtemp(join(tmpdir(), 'tombola-e2e-'));
  try {
    const files: string[] = [];
    for (const name of ['The proof (JSON)', 'The list of entrants (CSV)']) {
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name }).click();
      const download = await downloading;
      files.push(join(folder, download.suggestedFilename()));
      await download.saveAs(files.at(-1)!);
    }
    const [proof, entrants] = files as [string, string];
    const verifier = ['../scripts/drawing/verify_drawing.py', proof, '--entrants', entrants];
    const { stdout } = await promisify(execFile)('python3', verifier);
    expect(stdout).toMatch(/ok/);
    expect(stdout).not.toMatch(/FAILED/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.describe('a list of 60,000', () => {
  let drawn: Drawn;

  test.beforeAll(async ({ browser, own }) => {
    await own.query(`
      INSERT INTO users (phone_number, referral_code, landing_page, ip_address, user_agent)
      SELECT '+1' || 3000000000 + n, 'CDF' || translate(lpad(n::text, 5, '0'), '01258', 'CDFGH'),
             'kitchen-garden', '10.0.0.1', 'seed'
      FROM generate_series(1, 60000) AS n`);
    const page = await browser.newPage({ baseURL: own.origin });
    drawn = await perform(page, 'kitchen-garden');
    await page.close();
  });

  test('is checked beside the page, which goes on', async ({ page }) => {
    await page.goto(`/drawings/${drawn.id}`);
    await checkButton(page).click();
    await openFold(page, 'The checks, one by one');
    await expect(page.getByText('60,000 of 60,000 lines read')).toBeVisible();
    await expect(verdict(page)).toContainText('All 11 checks passed.');
    const fetched = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(fetched.filter((name) => name.endsWith('/entrants'))).toEqual([]); // a worker did
  });

  test('that was changed on its way is told from it', async ({ page }) => {
    await page.route('**/entrants', async (route) => {
      const response = await route.fetch();
      const rows = (await response.text()).split('\n');
      [rows[40_000], rows[40_001]] = [rows[40_001]!, rows[40_000]!];
      await route.fulfill({ response, body: rows.join('\n') });
    });
    await page.goto(`/drawings/${drawn.id}`);
    await checkButton(page).click();
    await expect(verdict(page)).toContainText('1 check failed.');
    await expect(page.getByText('Line 40000 has the index 40000, not 39999.')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  test('can be stopped, and does not count as wrong when it breaks off', async ({ page }) => {
    const requested = new Promise<() => Promise<void>>((resolve) => {
      void routeFirst(page, '**/entrants', (route) => resolve(() => route.abort()));
    });
    await page.goto(`/drawings/${drawn.id}`);
    await checkButton(page).click();
    const abort = await requested;
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(verdict(page)).toContainText('You stopped the check, so the list is not checked.');
    await expect(page.getByRole('button', { name: 'Check again' })).toBeFocused();
    await abort();
    await routeFirst(page, '**/entrants', (route) => route.abort());
    await page.keyboard.press('Enter');
    await expect(verdict(page)).toContainText('The list did not arrive in full');
    await page.keyboard.press('Enter');
    await expect(verdict(page)).toContainText('All 11 checks passed.');
  });
});

test('a proof that was changed fails in what does not fit', async ({ page }) => {
  await enterOthers(page.request, 'fresh-sips', 3);
  const { id, winningEntryNumber } = await perform(page, 'fresh-sips');
  await page.route('**/proof', async (route) => {
    const response = await route.fetch();
    const proof = (await response.json()) as Drawn;
    const changed = 1 + (winningEntryNumber % 3);
    await route.fulfill({ response, json: { ...proof, winningEntryNumber: changed } });
  });
  await page.goto(`/drawings/${id}`);
  await checkButton(page).click();
  await expect(verdict(page)).toContainText("This drawing doesn't match its proof.");
  const draw = page.locator('.checks li', { hasText: 'give this winner and these alternates' });
  await expect(draw).toContainText('Failed');
});

test('an unknown drawing shows a page that explains it', async ({ page }) => {
  await page.goto('/drawings/123456');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We cannot find this drawing');
  await page.getByRole('link', { name: 'See all drawings' }).click();
  await expect(page).toHaveURL(/\/drawings$/);
});

test('many drawings are split into pages with addresses', async ({ page }) => {
  await enterOthers(page.request, 'garden-bag', 1);
  for (let count = 0; count < 21; count += 1) await perform(page, 'garden-bag');
  await page.goto('/drawings');
  await expect(page.locator('.drawn > li')).toHaveCount(20);
  const newest = await page.locator('.drawn a').first().getAttribute('href');
  await page.getByRole('link', { name: 'Show earlier drawings' }).click();
  await expect(page).toHaveURL(/\?page=2#past$/);
  await expect(page.locator('.drawn > li').first()).toBeVisible();
  await expect(page.locator(`.drawn a[href="${newest}"]`)).toHaveCount(0);
  await page.goBack();
  await expect(page.locator(`.drawn a[href="${newest}"]`)).toBeVisible();
});

test('axe finds nothing', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(page, '/garden-bag');
  const { id } = await perform(page, 'garden-bag');
  await page.goto('/drawings');
  await expect(page.locator('.drawn > li').first()).toBeVisible();
  expect(await violationsInBothSchemes(page), 'all').toEqual([]);
  await page.goto(`/drawings/${id}`);
  await checkButton(page).click();
  await expect(verdict(page)).toContainText('All 11 checks passed.');
  for (const fold of await page.locator('.one summary').all()) await fold.click();
  expect(await violationsInBothSchemes(page), 'one').toEqual([]);
});

test('great numbers fit at 320 px, and nothing is too small to touch', async ({ page }) => {
  await enterOthers(page.request, 'garden-bag', 1);
  const { id } = await perform(page, 'garden-bag');
  const great = {
    totalParticipants: 1_234_567_890,
    totalEntries: 9_007_199_254_740_991,
    winningEntryNumber: 9_007_199_254_740_991,
  };
  await page.route('**/proof', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...great } });
  });
  await page.route('**/api/drawings?*', async (route) => {
    const response = await route.fetch();
    const drawings = (await response.json()) as object[];
    await route.fulfill({ response, json: drawings.map((drawing) => ({ ...drawing, ...great })) });
  });
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ['/drawings', `/drawings/${id}`]) {
    await page.goto(path);
    await expect(page.getByText('9,007,199,254,740,991').first()).toBeVisible();
    if (path !== '/drawings') {
      await checkButton(page).click();
      await expect(verdict(page)).toContainText('checks failed.');
    }
    const measured = await page.evaluate(() => ({
      sideways: document.documentElement.scrollWidth - window.innerWidth,
      small: [...document.querySelectorAll('button, summary, .links a, .button')]
        .filter((element) => element.checkVisibility())
        .filter((element) => element.getBoundingClientRect().height < 44)
        .map((element) => element.outerHTML),
    }));
    expect(measured, path).toEqual({ sideways: 0, small: [] });
  }
});

test('nothing moves when the answers come', async ({ page }) => {
  await enter(page, '/garden-bag');
  const { id } = await perform(page, 'garden-bag');
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport);
    for (const path of ['/drawings', `/drawings/${id}`]) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      expect(await layoutShift(page), `${path} at ${viewport.width}`).toBe(0);
    }
  }
});

test('without JavaScript the pages say what they are, and where the same is', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    ...(baseURL && { baseURL }),
  });
  const page = await context.newPage();
  for (const path of ['/drawings', '/drawings/1']) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: '/api/drawings' })).toBeVisible();
    await expect(page.getByText('Loading...').first()).toBeHidden();
  }
  await page.goto('/drawings');
  await expect(page.getByRole('heading', { name: 'How a drawing works' })).toBeVisible();
  await context.close();
});

test('search engines are let in, and each drawing has its own address', async ({ page }) => {
  const head = async (path: string) => (await page.request.get(path)).text();
  const all = await head('/drawings');
  expect(all).toContain('<title>Drawings | Tombola</title>');
  expect(all).toMatch(/<link rel="canonical" href="[^"]*\/drawings">/);
  for (const html of [all, await head('/drawings/1')]) expect(html).not.toContain('noindex');
});
