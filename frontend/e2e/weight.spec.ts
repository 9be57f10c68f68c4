import { brotliCompressSync, constants } from 'node:zlib';
import type { Page, Route } from '@playwright/test';
import { gotoInPieces } from './pieces';
import {
  alive,
  enter,
  expect,
  layoutShift,
  openPaths,
  phoneField,
  successPaths,
  entryPaths,
  test,
  themes,
  routeFirst,
} from './test';

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

interface Load {
  url: string;
  type: string;
  /** The body on the wire, as it was compressed. */
  bytes: number;
}

/** What the browser transfers from here on. */
async function watchLoads(page: Page): Promise<Load[]> {
  const loads: Load[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const started = new Map<string, Load & { headers: number }>();
  session.on('Network.responseReceived', ({ requestId, response, type }) => {
    const headers = response.encodedDataLength; // what came before the body
    started.set(requestId, { url: response.url, type, bytes: 0, headers });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = started.get(requestId);
    if (load) loads.push({ ...load, bytes: encodedDataLength - load.headers });
  });
  return loads;
}

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const sum = (loads: Load[]) => loads.reduce((total, { bytes }) => total + bytes, 0);

for (const path of [...themes.map(({ key }) => `/${key}`), '/ref/CDFG3467']) {
  test(`${path} is light: before the first touch, and when it comes alive`, async ({
    page,
    baseURL,
  }) => {
    const loads = await watchLoads(page);
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    const html = loads.filter(({ type }) => type === 'Document');
    expect(sum(html)).toBeLessThanOrEqual(14_000);
    const early = loads.filter(({ type }) => type === 'Script');
    expect(early.map(({ url }) => url)).toEqual([expect.stringMatching(/\/tracking\.\w+\.js$/)]);
    const inline = await page.evaluate(() =>
      // The words of the raffle are data, which the HTML's limit holds.
      [...document.querySelectorAll('script:not([type])')]
        .map((script) => script.textContent)
        .join(''),
    );
    expect(inline.length).toBeLessThanOrEqual(3_000);
    const travels = brotliCompressSync(inline, quality).length; // as scripts/gates.mjs counts it
    expect(sum(early) + travels).toBeLessThanOrEqual(5_000);

    await phoneField(page).focus();
    await expect(phoneField(page)).toHaveAttribute('aria-invalid', 'false');
    await expect(page.getByRole('region', { name: /Notifications/ })).toBeAttached();
    const scripts = loads.filter(({ type }) => type === 'Script');
    const later = /\/(tracking|validation|toaster|store|success)\./;
    const hydrating = scripts.filter(({ url }) => !later.test(url));
    expect(hydrating.length).toBeGreaterThan(0);
    expect(sum(hydrating)).toBeLessThanOrEqual(90_000);
    // All that the first submit waits for.
    const rules = scripts.filter(({ url }) => /\/validation\./.test(url));
    expect(sum([...hydrating, ...rules])).toBeLessThanOrEqual(102_000);
    expect(loads.filter(({ url }) => /admin|chart|stripe/i.test(url))).toEqual([]);
    expect(loads.filter(({ url }) => !url.startsWith(baseURL ?? ''))).toEqual([]);
  });
}

test('nothing moves on any page, at both widths', async ({ page }) => {
  await enter(page, '/garden-bag');
  const id = page.url().split('/').pop() ?? '';
  const paths = [...openPaths, ...successPaths(id), ...entryPaths(id)];
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    for (const path of paths) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      await alive(page);
      expect(await layoutShift(page), `${path} at ${viewport.width}`).toBe(0);
    }
  }
});

for (const viewport of VIEWPORTS) {
  test(`a page that arrives in pieces moves nothing either, at ${viewport.width} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await enter(page, '/garden-bag');
    const id = page.url().split('/').pop() ?? '';
    for (const path of [
      '/fresh-sips',
      '/welcome',
      '/planter/garden-preview2345',
      `/fresh-sips/success/${id}`,
      `/success/${id}`,
      '/drawings',
    ]) {
      await gotoInPieces(page, path);
      expect(await layoutShift(page), path).toBe(0);
    }
  });
}

for (const slow of ['', '/stats', '/referrals']) {
  test(`a slow answer to /api/users/{id}${slow} moves nothing either`, async ({ page }) => {
    await enter(page, '/garden-bag');
    const id = page.url().split('/').pop() ?? '';
    for (const path of successPaths(id)) {
      const asked = new Promise<Route>((resolve) => {
        void routeFirst(page, `**/api/users/${id}${slow}`, resolve);
      });
      await page.goto(path, { waitUntil: 'commit' });
      // The friends are asked for by React.
      if (slow === '/referrals') await page.waitForLoadState().then(() => page.mouse.move(4, 4));
      const request = await asked;
      await page.evaluate(() => new Promise(requestAnimationFrame));
      await request.continue();
      await page.waitForLoadState('networkidle');
      await alive(page);
      expect(await layoutShift(page), path).toBe(0);
    }
  });
}

test('a slow font moves nothing either', async ({ page }) => {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/*.woff2', async (route) => {
    await arrival;
    await route.continue();
  });
  await page.goto('/garden-bag', { waitUntil: 'domcontentloaded' });
  await page.evaluate(() => new Promise(requestAnimationFrame));
  arrive();
  await page.waitForLoadState('networkidle');
  expect(await layoutShift(page)).toBe(0);
});
