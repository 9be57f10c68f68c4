import type { Browser, BrowserContext, Page } from '@playwright/test';
import { violationsInBothSchemes } from './axe';
import { query } from './database';
import { onThisDatabase, startServer } from './server';
import { enter, expect, phoneField, referralLink, submitButton, test } from './test';

interface View extends Record<string, unknown> {
  page: string;
  referral_code: string | null;
  time_spent: number;
  fingerprint: string | null;
}

const sessionOf = (page: Page) =>
  page.evaluate(() => sessionStorage.getItem('tombola.session') ?? '');

const viewsOf = (session: string) =>
  query<View>('SELECT * FROM page_views WHERE session_id = $1 ORDER BY id', [session]);

const stepsOf = (session: string) =>
  query<{ step: string }>('SELECT step FROM conversion_funnel WHERE session_id = $1 ORDER BY id', [
    session,
  ]).then((rows) => rows.map(({ step }) => step));

/** Opens a page and waits until its view was answered: by then it is stored. */
async function view(page: Page, path: string) {
  const answered = page.waitForResponse('**/api/analytics/page-view');
  await page.goto(path);
  expect(await (await answered).json()).toEqual({ success: true });
}

/** Leaves for another tab and comes back, as far as the page can tell. */
function look(page: Page, state: 'hidden' | 'visible') {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test('a view is stored though nobody touches the page, and once over a reload', async ({
  page,
}) => {
  await view(page, '/fresh-sips');
  const session = await sessionOf(page);
  expect(session).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  await page.reload();
  await page.waitForLoadState('networkidle');
  const views = await viewsOf(session);
  expect(views).toHaveLength(1);
  expect(views[0]).toMatchObject({ page: 'fresh-sips', referral_code: null });
  expect(views[0]?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
});

test('the same page with a code, and with another one, are views of their own', async ({
  page,
}) => {
  await view(page, '/kitchen-garden');
  await view(page, '/kitchen-garden/ref/CDFG3467');
  await view(page, '/kitchen-garden/ref/DFGH3467');
  await view(page, '/ref/CDFG3467');
  await view(page, '/welcome');
  const views = await viewsOf(await sessionOf(page));
  expect(views.map(({ page: name, referral_code: code }) => [name, code])).toEqual([
    ['kitchen-garden', null],
    ['kitchen-garden', 'CDFG3467'],
    ['kitchen-garden', 'DFGH3467'],
    ['generic', 'CDFG3467'],
    ['welcome', null],
  ]);
});

test('leaving adds the time that the page was seen, once for each time', async ({ page }) => {
  await page.clock.install();
  await view(page, '/sustainable-living');
  const session = await sessionOf(page);
  const spent = async () =>
    (await viewsOf(session)).reduce((sum, view) => sum + view.time_spent, 0);
  // The clock runs on beside the jumps, by as much as this machine takes; never by a hidden minute.
  const about = (seconds: number) => async () => {
    const ms = await spent();
    return ms >= seconds * 1_000 && ms < (seconds + 30) * 1_000;
  };
  await page.clock.fastForward(7_000);
  await look(page, 'hidden');
  await expect.poll(about(7)).toBe(true);
  await page.clock.fastForward(60_000);
  await look(page, 'visible');
  await page.clock.fastForward(9_000);
  await page.goto('about:blank');
  await expect.poll(about(16)).toBe(true);
  expect(await viewsOf(session)).toHaveLength(1);
});

test('entering leaves its steps behind, and the next screen is a view', async ({ page }) => {
  await enter(page, '/garden-bag');
  const session = await sessionOf(page);
  await expect
    .poll(() => stepsOf(session))
    .toEqual(expect.arrayContaining(['pageView', 'formStart', 'formSubmit', 'signUp']));
  await expect
    .poll(async () => (await viewsOf(session)).map(({ page: name }) => name))
    .toEqual(['garden-bag', 'garden-bag-success']);
  const details = await query(
    `SELECT step, step_data FROM conversion_funnel WHERE session_id = $1 AND step_data IS NOT NULL ORDER BY step`,
    [session],
  );
  const onPage = { page: 'garden-bag', referred: false };
  expect(details).toEqual([
    { step: 'formStart', step_data: onPage },
    { step: 'formSubmit', step_data: onPage },
    { step: 'signUp', step_data: { referred: false } },
  ]);
});

test('a share by mail or by text is counted, with the code and the sharer', async ({ page }) => {
  await page.addInitScript(() =>
    addEventListener('click', (event) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (link && /^(mailto|sms):/.test(link.href)) event.preventDefault(); // no app to open here
    }),
  );
  await enter(page, '/garden-bag');
  const code = (await referralLink(page)).split('/').pop();
  for (const name of ['Email', 'Text']) {
    const answered = page.waitForResponse('**/api/analytics/social-share');
    await page.getByRole('link', { name, exact: true }).click();
    expect((await answered).status()).toBe(200);
  }
  const shares = await query(
    'SELECT platform, user_id FROM social_shares WHERE referral_code = $1 ORDER BY id',
    [code],
  );
  const user_id = page.url().split('/').pop();
  expect(shares).toEqual([
    { platform: 'email', user_id },
    { platform: 'sms', user_id },
  ]);
});

for (const [name, signal] of [
  ['Global Privacy Control', () => ({ globalPrivacyControl: true })],
  ['Do Not Track', () => ({ doNotTrack: '1' })],
] as const) {
  test(`with ${name} nothing is sent, stored or kept`, async ({ page }) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      const tracked = Object.keys(request.headers()).some((header) =>
        header.startsWith('x-analytics'),
      );
      if (tracked || request.url().includes('/api/analytics')) sent.push(request.url());
    });
    await page.addInitScript((properties) => {
      for (const [key, value] of Object.entries(properties)) {
        Object.defineProperty(navigator, key, { value });
      }
    }, signal());
    const count = () => query('SELECT id FROM page_views').then((rows) => rows.length);
    const before = await count();
    await enter(page, '/garden-bag');
    await page.waitForLoadState('networkidle');
    expect(sent).toEqual([]);
    expect(await page.evaluate(() => [...Object.keys(sessionStorage)])).toEqual([]);
    expect(await count()).toBe(before);
  });
}

test('a failure to count views does not keep people from entering', async ({ page }) => {
  await page.route('**/api/analytics/**', (route) => route.fulfill({ status: 503, body: '' }));
  await enter(page, '/garden-bag');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garden Bag Success!');
});

test('without a pixel there is no question, and the privacy page explains it', async ({ page }) => {
  await page.goto('/garden-bag');
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('region', { name: 'Ads' })).toHaveCount(0);
  await page.goto('/privacy');
  await expect(page.getByText('No ads pixel is in use here at the moment')).toBeVisible();
});

test.describe('with an ads pixel', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  test.beforeAll(async () => {
    server = await startServer({
      ...onThisDatabase(process.env.E2E_DATABASE_URL ?? ''),
      ADS_PIXEL_ID: '123456',
    });
  });
  test.afterAll(() => server.stop());

  interface Sent {
    url: string;
    /** What a call of fbq held, for those that Meta's script would have sent. */
    call: unknown[];
  }

  /** A browser in which Meta's script is a stand-in that sends every call, and the address that it sees. */
  async function visitor(browser: Browser) {
    const context = await browser.newContext({ baseURL: server.origin });
    const sent: Sent[] = [];
    await context.route(/^https:/, async (route) => {
      const url = route.request().url();
      if (url === 'https://connect.facebook.net/en_US/fbevents.js') {
        sent.push({ url, call: [] });
        return route.fulfill({ contentType: 'text/javascript', body: standIn });
      }
      const call = new URL(url).searchParams.get('call') ?? '[]';
      sent.push({ url: decodeURIComponent(url), call: JSON.parse(call) as unknown[] });
      return route.fulfill({ contentType: 'image/gif', body: '' });
    });
    return { context, page: await context.newPage(), sent };
  }

  const standIn = `
    const send = (...call) => {
      new Image().src = 'https://www.facebook.com/tr?' + new URLSearchParams({
        call: JSON.stringify(call), dl: location.href, rl: document.referrer, base: document.baseURI,
      });
    };
    fbq.queue.forEach((call) => send(...call));
    fbq.callMethod = send;`;

  const question = (page: Page) => page.getByRole('region', { name: 'Ads' });
  const events = (sent: Sent[]) =>
    sent.map(({ call }) => call).filter(([method]) => method === 'track');

  async function answered(context: BrowserContext, choice: 'accepted' | 'declined') {
    await context.addInitScript((value) => {
      if (self.origin !== 'null') localStorage.setItem('tombola.ads', value);
    }, choice);
  }

  test('nothing of it is loaded without consent, and never after a no', async ({ browser }) => {
    const { context, page, sent } = await visitor(browser);
    await page.goto('/welcome');
    await expect(question(page)).toBeVisible();
    await question(page).getByRole('button', { name: 'Decline' }).click();
    await expect(question(page)).toHaveCount(0);
    await enter(page, '/garden-bag');
    await page.waitForLoadState('networkidle');
    await expect(question(page)).toHaveCount(0);
    expect(sent).toEqual([]);
    expect(page.frames()).toHaveLength(1);
    await context.close();
  });

  test('with consent it learns what happened, and neither who it was nor where', async ({
    browser,
  }) => {
    const { context, page, sent } = await visitor(browser);
    await page.goto('/welcome');
    await question(page).getByRole('button', { name: 'Accept' }).click();
    await expect(page.locator('#main')).toBeFocused();
    await expect.poll(() => events(sent)).toEqual([['track', 'PageView', {}, {}]]);

    const registering = page.waitForRequest('**/api/users/register');
    const phone = await enter(page, '/fresh-sips');
    const { event_id: eventID } = (await registering).postDataJSON() as { event_id: string };
    await expect
      .poll(() => events(sent).slice(1))
      .toEqual([
        ['track', 'PageView', {}, {}],
        ['track', 'CompleteRegistration', {}, { eventID }],
        ['track', 'PageView', {}, {}],
      ]);

    const code = (await referralLink(page)).split('/').pop() ?? '';
    await page.evaluate(() =>
      addEventListener('click', (event) => event.preventDefault(), { once: true }),
    );
    const sharing = page.waitForRequest('**/api/analytics/social-share');
    await page.getByRole('link', { name: 'Text', exact: true }).click();
    const { event_id: shareId } = (await sharing).postDataJSON() as { event_id: string };
    await expect
      .poll(() => events(sent).at(-1))
      .toEqual(['track', 'Lead', {}, { eventID: shareId }]);

    await page.goto(`/fresh-sips/ref/${code}`);
    await expect.poll(() => events(sent)).toHaveLength(6);
    expect(sent.map(({ call }) => call)).toContainEqual(['set', 'autoConfig', false, '123456']);
    const everything = sent.map(({ url }) => url).join('\n');
    expect(everything).toContain('dl=about:srcdoc');
    for (const secret of [code, 'success', 'fresh-sips', phone, phone.replace(/\D/g, '')]) {
      expect(everything).not.toContain(secret);
    }
    await context.close();
  });

  test('a link within a page is not another view', async ({ browser }) => {
    const { context, page, sent } = await visitor(browser);
    await answered(context, 'accepted');
    await page.goto('/drawings');
    await expect.poll(() => events(sent)).toEqual([['track', 'PageView', {}, {}]]);
    await page.getByRole('link', { name: 'How a drawing works' }).click();
    await expect(page).toHaveURL(/#how$/);
    await page.waitForLoadState('networkidle');
    await enter(page, '/garden-bag');
    await expect
      .poll(() => events(sent).map(([, name]) => name))
      .toEqual(['PageView', 'PageView', 'CompleteRegistration', 'PageView']);
    await context.close();
  });

  test('its frame can reach nothing of the page', async ({ browser }) => {
    const { context, page, sent } = await visitor(browser);
    await answered(context, 'accepted');
    await page.goto('/garden-bag/ref/CDFG3467');
    await expect.poll(() => sent.length).toBeGreaterThan(1);
    const frame = page.frames()[1];
    const reached = await frame?.evaluate(() => {
      const attempt = (reach: () => unknown) => {
        try {
          return String(reach());
        } catch (error) {
          return (error as Error).name;
        }
      };
      return [
        attempt(() => parent.document.title),
        attempt(() => parent.location.href),
        attempt(() => document.cookie),
        attempt(() => localStorage.length),
        attempt(() => document.baseURI),
        attempt(() => new URL(document.referrer).pathname),
      ];
    });
    const refused = Array<string>(4).fill('SecurityError');
    expect(reached).toEqual([...refused, 'about:srcdoc', '/']);
    await context.close();
  });

  test('with Global Privacy Control it is a no, without asking', async ({ browser }) => {
    const { context, page, sent } = await visitor(browser);
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
    );
    await answered(context, 'accepted');
    await page.goto('/welcome');
    await page.waitForLoadState('networkidle');
    await expect(question(page)).toHaveCount(0);
    expect(sent).toEqual([]);
    await page.goto('/privacy');
    await expect(page.getByText('We take that as a no')).toBeVisible();
    await context.close();
  });

  test('consent is taken back on the privacy page, for other tabs too', async ({ browser }) => {
    const { context, page } = await visitor(browser);
    await page.goto('/welcome');
    await question(page).getByRole('button', { name: 'Accept' }).click();
    await expect.poll(() => page.frames().length).toBe(2);
    const policy = await context.newPage();
    await policy.goto('/privacy');
    await policy.getByRole('button', { name: 'Withdraw consent' }).click();
    await expect(policy.getByText('You declined the ads pixel.')).toBeFocused();
    await expect.poll(() => page.frames().length).toBe(1);
    await context.close();
  });

  test('the question is never on the form, nor moves anything', async ({ browser }) => {
    const { context, page } = await visitor(browser);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/garden-bag');
    await page.waitForLoadState('networkidle');
    await expect(question(page)).toBeHidden();
    const covered = () =>
      page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
        const [form, ask] = [box('form'), box('.ask')];
        const seen = getComputedStyle(document.querySelector('.ask')!).visibility === 'visible';
        return seen && form.bottom > ask.top && form.top < ask.bottom;
      });
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0; y < height; y += 100) {
      await page.evaluate((top) => scrollTo(0, top), y);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      expect(await covered(), `scrolled to ${y}`).toBe(false);
    }
    await expect(question(page)).toBeVisible();
    const shifted = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((list) => resolve(list.getEntries().length));
          observer.observe({ type: 'layout-shift', buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
        }),
    );
    expect(shifted).toBe(0);
    await phoneField(page).focus();
    expect(await covered()).toBe(false);
    await expect(submitButton(page)).toBeInViewport();
    await context.close();
  });

  test('axe finds nothing with the question', async ({ browser }) => {
    const { context, page } = await visitor(browser);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const path of ['/welcome', '/garden-bag', '/fresh-sips', '/sustainable-living']) {
      await page.goto(path);
      await page.waitForLoadState('networkidle'); // it may be there, and yield to the form
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await expect(question(page)).toBeVisible();
      expect(await violationsInBothSchemes(page), path).toEqual([]);
    }
    await page.goto('/privacy');
    await expect(page.getByText('You have not chosen yet.')).toBeVisible();
    expect(await violationsInBothSchemes(page), 'privacy').toEqual([]);
    for (const path of ['/welcome', '/privacy']) {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto(path);
      await expect(page.getByRole('button', { name: 'Accept' })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
    }
    await context.close();
  });

  test('the question can be answered by keyboard', async ({ browser }) => {
    const { context, page } = await visitor(browser);
    await page.goto('/welcome');
    await question(page).getByRole('button', { name: 'Decline' }).focus();
    await page.keyboard.press('Tab');
    await expect(question(page).getByRole('button', { name: 'Accept' })).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(question(page)).toHaveCount(0);
    await page.reload();
    await page.waitForLoadState('networkidle');
    await expect(question(page)).toHaveCount(0);
    await context.close();
  });
});
