import type { Page, Route } from '@playwright/test';
import { violationsInBothSchemes } from './axe';
import { query } from './database';
import { expect, layoutShift, newPhone, test } from './test';
import { withTexting } from './texting';
import { textKeys } from './textProvider';

const CALL = '**/api/sms/track-click';

const pages = [
  { id: 'garden-preview2345', name: 'planter-garden', raffle: 'garden-bag', total: '$1,735' },
  { id: 'fresh-preview2345', name: 'planter-fresh-sips', raffle: 'fresh-sips', total: '$1,695' },
  {
    id: 'kitchen-preview2345',
    name: 'planter-kitchen-garden',
    raffle: 'kitchen-garden',
    total: '$1,065',
  },
  {
    id: 'sustainable-preview2345',
    name: 'planter-sustainable-living',
    raffle: 'sustainable-living',
    total: '$1,115',
  },
];

interface Report {
  body: unknown;
  session: string | undefined;
}

/** Answers for a link that the server knows, and keeps what was reported. */
async function answering(page: Page, isEntrant: boolean): Promise<Report[]> {
  const reports: Report[] = [];
  await page.route(CALL, (route) => {
    const request = route.request();
    reports.push({
      body: request.postDataJSON() as unknown,
      session: request.headers()['x-analytics-session'],
    });
    return route.fulfill({ json: { success: true, landingPage: 'garden-bag', isEntrant } });
  });
  return reports;
}

const bodies = (reports: Report[]) => reports.map(({ body }) => body);
const confirmed = (page: Page) => page.getByText('Your entry is confirmed');
const enterLink = (page: Page) => page.getByRole('link', { name: 'Enter the raffle free' });
const raffleLink = (page: Page) => page.getByRole('link', { name: 'Go to the raffle' });

for (const { id, name, raffle, total } of pages) {
  test(`/planter/${id} shows its package, is counted, and leads to its raffle`, async ({
    page,
  }) => {
    const counted = page.waitForResponse('**/api/analytics/page-view');
    const response = await page.goto(`/planter/${id}`);
    expect(response?.status()).toBe(200);
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Thank you/);
    await expect(page.locator('.facts').getByText(total)).toBeVisible();
    await expect(page.locator('[data-yearly]')).toHaveText(/^[A-Z][a-z]+ \d\d(st|nd|th), 20\d\d$/);
    await counted;
    const session = await page.evaluate(() => sessionStorage.getItem('tombola.session'));
    const views = await query(
      'SELECT page, sms_tracking_id FROM page_views WHERE session_id = $1',
      [session],
    );
    expect(views).toEqual([{ page: name, sms_tracking_id: id }]);
    // No text was ever sent with this id.
    await expect(confirmed(page)).toBeHidden();
    await enterLink(page).click();
    await expect(page).toHaveURL(new RegExp(`/${raffle}$`));
  });
}

test('an entrant is confirmed, and click and button are reported once', async ({ page }) => {
  const reports = await answering(page, true);
  await page.goto('/planter/garden-2b4c6d8f9g2h');
  await expect(confirmed(page)).toBeVisible();
  await expect(page.getByText('Good Luck!')).toBeVisible();
  await expect(enterLink(page)).toHaveCount(0);
  expect(reports).toEqual([
    {
      body: { trackingId: 'garden-2b4c6d8f9g2h' },
      session: await page.evaluate(() => sessionStorage.getItem('tombola.session')),
    },
  ]);

  await page.reload();
  await expect(confirmed(page)).toBeVisible();
  await raffleLink(page).click();
  await expect(page).toHaveURL(/\/garden-bag$/);
  await page.goBack();
  await expect(confirmed(page)).toBeVisible();
  await raffleLink(page).press('Enter');
  await expect(page).toHaveURL(/\/garden-bag$/);
  expect(bodies(reports)).toEqual([
    { trackingId: 'garden-2b4c6d8f9g2h' },
    { trackingId: 'garden-2b4c6d8f9g2h', cta: true },
  ]);
});

test('with Global Privacy Control nothing is reported, and entering is offered', async ({
  page,
}) => {
  await page.addInitScript(() => Object.assign(navigator, { globalPrivacyControl: true }));
  const reports = await answering(page, true);
  await page.goto('/planter/garden-2b4c6d8f9g2h');
  await expect(enterLink(page)).toBeVisible();
  await enterLink(page).click();
  await expect(page).toHaveURL(/\/garden-bag$/);
  expect(reports).toEqual([]);
});

test('the links of a campaign know who is in, and are counted once', async ({ page }) => {
  await withTexting(page, textKeys, async ({ origin, call }) => {
    const [entrant, stranger] = [newPhone(), newPhone()];
    const entering = { phoneNumber: entrant, landingPage: 'kitchen-garden', smsConsent: true };
    await call('POST', '/api/users/register', entering);
    const template = await call<{ id: number }>('POST', '/api/admin/sms/templates', {
      name: 'Now',
      landingPage: 'fresh-sips',
      messageTemplate: 'Look: {LINK}',
    });
    const { id } = await call<{ id: number }>('POST', '/api/admin/sms/campaigns/schedule', {
      templateId: template.id,
      campaignName: 'Now',
      startNow: true,
      targetAudience: 'custom',
      customPhoneNumbers: [entrant, stranger],
    });
    const report = () => call<Report>('GET', `/api/admin/sms/campaigns/${id}`);
    interface Report {
      campaign: { status: string; clickedCount: number; ctaClickedCount: number };
    }
    const figures = async () => {
      const { clickedCount, ctaClickedCount } = (await report()).campaign;
      return [clickedCount, ctaClickedCount];
    };
    await expect
      .poll(async () => (await report()).campaign.status, { timeout: 60_000 })
      .toBe('sent');
    const texts = await call<string>('GET', `/api/admin/sms/campaigns/${id}/export`);
    const [theirs = ''] = /kitchen-\w+/.exec(texts) ?? []; // the recipient's own raffle
    const [others = ''] = /fresh-\w+/.exec(texts) ?? [];

    await page.goto(`${origin}/planter/${theirs}`);
    await expect(page.getByText('Kitchen Garden Package')).toBeVisible();
    await expect(confirmed(page)).toBeVisible();
    await expect.poll(figures).toEqual([1, 0]);
    await page.reload();
    await expect(confirmed(page)).toBeVisible();
    await raffleLink(page).click();
    await expect(page).toHaveURL(/\/kitchen-garden\/success\/\d+$/); // the browser that entered finds its page
    await expect.poll(figures).toEqual([1, 1]);

    await page.goto(`${origin}/planter/${others}`);
    await enterLink(page).click();
    await expect(page).toHaveURL(/\/fresh-sips$/);
    await expect.poll(figures).toEqual([2, 2]);
  });
});

test('two tabs are two visits', async ({ page, context }) => {
  const reports = await answering(page, false);
  await page.goto('/planter/fresh-2b4c6d8f9g2h');
  await expect(enterLink(page)).toBeVisible();
  const other = await context.newPage();
  const more = await answering(other, false);
  await other.goto('/planter/fresh-2b4c6d8f9g2h');
  await expect(enterLink(other)).toBeVisible();
  expect([reports.length, more.length]).toEqual([1, 1]);
});

test('a slow answer moves nothing, and the button is there before it', async ({ page }) => {
  const asked = new Promise<Route>((resolve) => void page.route(CALL, resolve));
  await page.goto('/planter/kitchen-2b4c6d8f9g2h');
  const route = await asked;
  await expect(raffleLink(page)).toHaveAttribute('href', '/kitchen-garden');
  await route.fulfill({ json: { success: true, landingPage: 'kitchen-garden', isEntrant: true } });
  await expect(confirmed(page)).toBeVisible();
  expect(await layoutShift(page)).toBe(0);
});

test('when an entry cannot be looked up, entering is offered and no error is shown', async ({
  page,
}) => {
  await page.route(CALL, (route) => route.abort());
  await page.goto('/planter/sustainable-2b4c6d8f9g2h');
  await expect(enterLink(page)).toHaveAttribute('href', '/sustainable-living');
  await expect(page.getByText(/went wrong|not reported|error/i)).toHaveCount(0);
});

test('without JavaScript it shows the package, its day, and how to enter', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? '' });
  const page = await context.newPage();
  await page.goto('/planter/fresh-preview2345');
  await expect(page.locator('[data-yearly]')).toHaveText('January 15th');
  await expect(enterLink(page)).toBeVisible();
  await expect(confirmed(page)).toBeHidden();
  await context.close();
});

test('the drawing date is the next one, where the site is', async ({ page }) => {
  // In London it is the new year already, in New York the drawing is still to come today.
  await page.clock.setFixedTime('2027-01-01T04:00:00Z');
  await page.goto('/planter/garden-preview2345');
  await expect(page.locator('[data-yearly]')).toHaveText('December 31st, 2026');
});

test('an id that no text can have shows the garden, and offers to enter', async ({ page }) => {
  const reports = await answering(page, true);
  for (const id of ['a'.repeat(300), 'a%20b', '<b>.%00']) {
    const response = await page.goto(`/planter/${id}`);
    expect(response?.status(), id).toBe(200);
    await expect(enterLink(page)).toHaveAttribute('href', '/garden-bag');
    await expect(page.locator('[data-yearly]')).toHaveText(/^December 31st, 20\d\d$/);
  }
  expect(reports).toEqual([]);
  expect((await page.goto('/planter/'))?.status()).toBe(404);
});

test('the page is light: two small scripts, and no React', async ({ page, baseURL }) => {
  const scripts: string[] = [];
  let bytes = 0;
  page.on('response', async (response) => {
    expect(response.url().startsWith(baseURL ?? '')).toBe(true);
    if (response.request().resourceType() !== 'script') return;
    scripts.push(/\/(\w+)\.\w+\.js$/.exec(response.url())?.[1] ?? '');
    bytes += (await response.request().sizes()).responseBodySize;
  });
  await answering(page, true);
  await page.goto('/planter/garden-2b4c6d8f9g2h');
  await expect(confirmed(page)).toBeVisible();
  await page.mouse.click(10, 10);
  await page.waitForLoadState('networkidle');
  expect(scripts.sort()).toEqual(['planter', 'tracking']);
  await expect.poll(() => bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(5_000);
});

test('axe finds nothing whatever is known of the entry', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await answering(page, true);
  for (const { id } of pages) {
    await page.goto(`/planter/${id}`);
    await expect(confirmed(page)).toBeVisible();
    expect(await violationsInBothSchemes(page), id).toEqual([]);
  }
});
