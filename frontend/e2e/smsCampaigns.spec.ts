import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Page } from '@playwright/test';
import { violationsInBothSchemes } from './axe';
import { testOnOwnServer } from './ownServer';
import { freshServer, staff } from './server';
import { figure, newSession, openConsole, tab, TOKEN_KEY } from './staff';
import { expect, expectNoSidewaysScroll, newPhone, routeFirst, toast } from './test';
import { startTextProvider, textKeys } from './textProvider';

const SECTION = '?section=sms';
const CAMPAIGNS = `${SECTION}&tab=campaigns`;
/** The provider refuses it: 21211, no number. */
const REFUSED_NUMBER = '+15005550001';
const REQUIRED = 'Please fill in all required fields';

const test = testOnOwnServer();
// Times are entered where the site is (New York), wherever the reader is.
test.use({ timezoneId: 'Asia/Tokyo' });
test.describe.configure({ timeout: 120_000 }); // several screens each, on busy machines too

/** Enters so many people into a raffle who agree to texts. */
async function enterInto(request: APIRequestContext, landingPage: string, count: number) {
  for (let index = 0; index < count; index += 1) {
    const answer = await request.post('/api/users/register', {
      data: { phoneNumber: newPhone(), landingPage, smsConsent: true },
    });
    expect(answer.status()).toBe(201);
  }
}

/** A call of staff without the screen. */
async function call(page: Page, method: 'POST' | 'PUT', path: string, data?: object) {
  const headers = { Authorization: `Bearer ${await newSession(page)}` };
  const answer = await page.request.fetch(`/api/admin/sms/${path}`, { method, headers, data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as { id: number };
}

const makeTemplate = (page: Page, name: string, changes = {}) =>
  call(page, 'POST', 'templates', {
    name,
    landingPage: 'garden-bag',
    messageTemplate: 'Your garden waits: {LINK}',
    ...changes,
  });

const scheduleOne = (page: Page, templateId: number, campaignName: string, changes = {}) =>
  call(page, 'POST', 'campaigns/schedule', {
    templateId,
    campaignName,
    scheduledDate: '2099-07-01T16:00:00Z',
    targetAudience: 'all',
    ...changes,
  });

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const campaignTable = (page: Page) => page.getByRole('table', { name: /^Campaigns/ });
const row = (page: Page, name: string) =>
  campaignTable(page).getByRole('row').filter({ hasText: name });
const dialog = (page: Page) => page.getByRole('alertdialog');
const time = (page: Page) => page.getByLabel('Date and time (America/New_York)');

async function openForm(page: Page) {
  await openConsole(page, CAMPAIGNS);
  await page.getByRole('button', { name: 'Schedule Campaign' }).click();
  await expect(page.getByLabel('Campaign name')).toBeVisible();
}

async function fillIn(page: Page, name: string, template: string, when: string) {
  await page.getByLabel('Campaign name').fill(name);
  await page.getByLabel('Template', { exact: true }).selectOption(template);
  await time(page).fill(when);
}

const review = (page: Page) => page.getByRole('button', { name: 'Review campaign' }).click();

// The first on its server, on which nothing was sent.
test('the section says what is missing before anything can be sent', async ({ page }) => {
  await openConsole(page);
  await page.getByRole('link', { name: 'SMS Campaigns' }).click();
  await expect(page).toHaveURL(/\?section=sms$/);
  await expect(page.getByText('Texts are not configured')).toBeVisible();
  await expect(figure(page, 'Total Sent')).toHaveText('0');
  await expect(figure(page, 'Delivery Rate')).toHaveText('0.0%');
  await expect(page.getByText('No templates yet')).toBeVisible();
  await expect(page.getByText('No campaigns yet')).toBeVisible();
  await tab(page, 'Analytics').click();
  await expect(page.getByText('No campaign texts yet')).toBeVisible();
  await tab(page, 'Campaigns').click();
  await page.getByRole('button', { name: 'Schedule Campaign' }).click();
  await expect(page.getByText('No active template')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Templates' }).click();
  await expect(page).toHaveURL(/tab=templates$/);
  await tab(page, 'Overview').click();
  await page.getByRole('link', { name: 'Open Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
});

test('a template is made once, however often it is clicked, and changed where it stands', async ({
  page,
  own,
}) => {
  await openConsole(page, `${SECTION}&tab=templates`);
  await page.getByRole('button', { name: 'New Template' }).click();
  await page.getByRole('button', { name: 'Create template' }).click();
  await expect(toast(page)).toContainText(REQUIRED);
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.getByLabel('Name').fill('Autumn');
  await page.getByLabel('Landing page').selectOption('kitchen-garden');
  await page.getByLabel('Message template').fill('Tomatoes, naïvely: ');
  await page.getByRole('button', { name: 'Insert {LINK}' }).click();
  const preview = page.getByRole('group', { name: 'Preview' });
  await expect(preview).toContainText(/Tomatoes, naïvely: http.*\/planter\/kitchen-/);
  await expect(preview).toContainText(/UCS-2, 2 segments/);
  await page.getByLabel('Message template').fill('Tomatoes: {LINK}');
  await expect(preview).toContainText(/GSM-7, 1 segment/);
  await page.getByRole('button', { name: 'Create template' }).dblclick();
  await expect(toast(page)).toContainText('Template created successfully');
  await expect(region(page, 'New template')).toHaveCount(0);
  const stored = () => own.query('SELECT name, is_active FROM sms_campaign_templates');
  expect(await stored()).toEqual([{ name: 'Autumn', is_active: true }]);

  await page.reload();
  await page.getByRole('button', { name: 'Edit Autumn' }).click();
  await page.getByLabel('Name').fill('Late autumn');
  await page.getByRole('button', { name: 'Save template' }).click();
  await expect(page.getByRole('heading', { name: 'Late autumn' })).toBeVisible();
  const active = page.getByRole('switch', { name: 'Active: Late autumn' });
  await active.dblclick();
  await expect(active).not.toBeChecked();
  expect(await stored()).toEqual([{ name: 'Late autumn', is_active: false }]);
  await page.goto(`/admin${CAMPAIGNS}`);
  await page.getByRole('button', { name: 'Schedule Campaign' }).click();
  await expect(page.getByText('No active template')).toBeVisible();
});

test("a campaign is counted, scheduled once at the site's time, and cancelled", async ({
  page,
  request,
  own,
}) => {
  await enterInto(request, 'fresh-sips', 3);
  await makeTemplate(page, 'Sips');
  await openForm(page);
  await review(page);
  await expect(toast(page)).toContainText(REQUIRED);
  await fillIn(page, 'Summer sips', 'Sips', '2099-07-01T12:00');
  await expect(page.getByText('Wed, Jul 1, 2099, 12:00 PM EDT')).toBeVisible();
  await expect(page.getByText(/Thu, Jul 2, 2099, 1:00 AM GMT\+9 where you are/)).toBeVisible();
  await page.getByLabel('One landing page').check();
  await page.getByLabel('Landing page', { exact: true }).selectOption('fresh-sips');
  await review(page);
  await expect(dialog(page)).toContainText('Schedule Summer sips?');
  await expect(dialog(page)).toContainText('Recipients3');
  await expect(dialog(page)).toContainText('Total segments3');
  await expect(dialog(page)).toContainText(/Your garden waits: http.*\/planter\/\w+-/);
  await dialog(page).getByRole('button', { name: 'Schedule Campaign' }).dblclick();
  await expect(toast(page)).toContainText('Campaign scheduled successfully');
  await expect(row(page, 'Summer sips')).toContainText('Pending');
  const stored = () =>
    own.query(
      `SELECT status, scheduled_date FROM sms_scheduled_campaigns
       WHERE campaign_name = 'Summer sips'`,
    );
  expect(await stored()).toEqual([
    { status: 'pending', scheduled_date: new Date('2099-07-01T16:00:00Z') },
  ]);

  await page.reload();
  await expect(row(page, 'Summer sips')).toContainText('Jul 1, 2099, 12:00 PM');
  await expect(row(page, 'Summer sips')).toContainText('Fresh Sips');
  await page.getByRole('button', { name: 'Cancel Summer sips' }).click();
  await dialog(page).getByRole('button', { name: 'Cancel campaign' }).dblclick();
  await expect(toast(page)).toContainText('Campaign cancelled successfully');
  await expect(row(page, 'Summer sips')).toContainText('Cancelled');
  await expect(row(page, 'Summer sips').getByRole('button')).toHaveCount(0);
  expect(await stored()).toMatchObject([{ status: 'cancelled' }]);
});

test('a campaign that another tab cancelled cannot be cancelled again', async ({ page }) => {
  const template = await makeTemplate(page, 'Twice');
  const { id } = await scheduleOne(page, template.id, 'Cancelled twice');
  await openConsole(page, CAMPAIGNS);
  await page.getByRole('button', { name: 'Cancel Cancelled twice' }).click();
  await expect(dialog(page)).toContainText('Jul 1, 2099, 12:00 PM');
  await call(page, 'PUT', `campaigns/${id}/cancel`);
  await dialog(page).getByRole('button', { name: 'Cancel campaign' }).click();
  await expect(toast(page)).toContainText('Failed to cancel campaign');
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Only a pending campaign can be cancelled',
  );
  await expect(row(page, 'Cancelled twice')).toContainText('Cancelled');
});

test('a request whose answer was lost is sent again with the same key', async ({ page, own }) => {
  await makeTemplate(page, 'Lost');
  await openForm(page);
  await fillIn(page, 'Lost answer', 'Lost', '2099-07-01T12:00');
  await review(page);
  await routeFirst(page, '**/campaigns/schedule', async (route) => {
    await route.fetch(); // it is scheduled, and nobody hears of it
    await route.abort();
  });
  const confirm = dialog(page).getByRole('button', { name: /^Schedul/ });
  await confirm.click();
  await expect(dialog(page).getByRole('alert')).toContainText('It is safe to try again');
  await confirm.click();
  await expect(toast(page)).toContainText('Campaign scheduled successfully');
  await expect(row(page, 'Lost answer')).toHaveCount(1);
  const rows = await own.query(
    `SELECT id FROM sms_scheduled_campaigns WHERE campaign_name = 'Lost answer'`,
  );
  expect(rows).toHaveLength(1);
});

test('a list names its wrong numbers, and texts repeated ones once', async ({ page }) => {
  await makeTemplate(page, 'List');
  await openForm(page);
  await fillIn(page, 'A short list', 'List', '2020-01-01T00:00');
  await expect(page.getByText('That is in the past. Choose a later time, or Now.')).toBeVisible();
  await page.getByLabel('Now', { exact: true }).check();
  await page.getByLabel('A list of numbers').check();
  const numbers = page.getByLabel('Phone numbers');
  await numbers.fill('(212) 555-0147, 12345\n212-555-0147\n+13125550148, abc');
  await page.getByLabel('Why these numbers may be texted').fill('They signed up at our booth.');
  await expect(
    page.getByText(/^4 numbers. Listed more than once.*\(212\) 555-0147$/),
  ).toBeVisible();
  await review(page);
  await expect(numbers).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('"12345" is not a phone number')).toBeVisible();
  await expect(page.getByText('"abc" is not a phone number')).toBeVisible();
  await numbers.fill('(212) 555-0147\n212-555-0147\n+13125550148');
  await review(page);
  await expect(dialog(page)).toContainText('Recipients2');
  await expect(dialog(page)).toContainText('It is sent now, as soon as you confirm.');
  await dialog(page).getByRole('button', { name: 'Send now' }).click();
  await expect(row(page, 'A short list')).toContainText('A list of 2 numbers');
  await expect(page.getByText('Texts are not configured')).toBeVisible();
});

test(
  'a campaign is sent, and its report shows the result of each text',
  { tag: '@main' },
  async ({ page }) => {
    const provider = await startTextProvider();
    const server = await freshServer({ ...textKeys, TWILIO_API_BASE: provider.url });
    try {
      const at = (path: string) => `${server.origin}${path}`;
      const signedIn = await page.request.post(at('/api/admin/login'), { data: staff });
      const { sessionToken } = (await signedIn.json()) as { sessionToken: string };
      const post = async (path: string, data: object) => {
        const headers = { Authorization: `Bearer ${sessionToken}` };
        const answer = await page.request.post(at(`/api/admin/sms/${path}`), { headers, data });
        expect(answer.status()).toBe(201);
        return (await answer.json()) as { id: number };
      };
      const template = await post('templates', {
        name: 'Now',
        landingPage: 'garden-bag',
        messageTemplate: 'Your garden waits: {LINK}',
      });
      await page.goto(at('/contact'));
      await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
        TOKEN_KEY,
        sessionToken,
      ] as const);
      await page.goto(at(`/admin${CAMPAIGNS}`));
      await expect(page.getByText('No campaigns yet')).toBeVisible();
      await post('campaigns/schedule', {
        templateId: template.id,
        campaignName: 'Sent now',
        startNow: true,
        targetAudience: 'custom',
        customPhoneNumbers: ['+12125550147', '+13125550148', REFUSED_NUMBER],
        consentBasis: 'They signed up at our booth.',
      });
      await page.reload();
      await expect(row(page, 'Sent now')).toContainText('3 of 3: 2 sent, 1 failed', {
        timeout: 60_000,
      });
      await expect(row(page, 'Sent now')).toContainText('Sent');
      await expect(row(page, 'Sent now').getByRole('button')).toHaveCount(0);
      await row(page, 'Sent now').getByRole('link').click();
      await expect(page).toHaveURL(/campaign=\d+$/);
      await page.reload();
      await expect(figure(page, 'Recipients')).toHaveText('3');
      await expect(figure(page, 'Delivered')).toHaveText('2', { timeout: 60_000 });
      await expect(page.getByRole('table', { name: /^Failed/ })).toContainText('21211');
      await expect(page.getByText('Nobody was skipped.')).toBeVisible();

      const evidence = region(page, 'What allowed a text');
      await evidence.getByLabel('Phone number').fill('(212) 555-0147');
      await evidence.getByRole('button', { name: 'Look up' }).click();
      await expect(evidence).toContainText('They signed up at our booth.');
      await expect(evidence).toContainText('1 campaign text');
      await evidence.getByLabel('Phone number').fill('212 555 9999');
      await evidence.getByRole('button', { name: 'Look up' }).click();
      await expect(evidence).toContainText('This campaign sent no text to this number.');

      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const download = await saving;
      expect(download.suggestedFilename()).toMatch(/^tombola-campaign-\d+\.csv$/);
      const [head, ...lines] = (await readFile(await download.path(), 'utf8'))
        .trim()
        .split(/\r?\n/);
      expect(head).toContain('"phoneNumber","status"');
      expect(lines).toHaveLength(3);
      expect(lines.join()).toContain('12125550147');

      await page.getByRole('link', { name: 'Back to all campaigns' }).click();
      await expect(row(page, 'Sent now')).toHaveCount(1);
      await tab(page, 'Analytics').click();
      await expect(page.getByRole('row', { name: /^Delivered/ })).toContainText('100.0%');
    } finally {
      await server.stop();
      await provider.stop();
    }
  },
);

test('clocks that skip a time or show it twice are asked about', async ({ page }) => {
  await makeTemplate(page, 'Clocks');
  await openForm(page);
  await fillIn(page, 'Clocks', 'Clocks', '2099-03-08T02:30');
  await review(page);
  await expect(page.getByText(/the clocks go forward and skip this time/)).toBeVisible();
  await time(page).fill('2099-11-01T01:30');
  await page.getByLabel('Which one?').selectOption('The second (EST)');
  const estimating = page.waitForRequest('**/campaigns/estimate');
  await review(page);
  expect((await estimating).postDataJSON()).toMatchObject({
    scheduledDate: '2099-11-01T06:30:00.000Z',
  });
  await expect(dialog(page)).toContainText('Sun, Nov 1, 2099, 1:30 AM EST');
});

test('the list has pages, and a campaign on its way is followed', async ({ page }) => {
  const template = await makeTemplate(page, 'Pages');
  for (let index = 0; index < 26; index += 1) {
    await scheduleOne(page, template.id, `Page ${index}`);
  }
  await openConsole(page, CAMPAIGNS);
  await expect(row(page, 'Page 25')).toBeVisible();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/offset=25$/);
  await expect(row(page, 'Page 0')).toBeVisible();
  await page.reload();
  await expect(row(page, 'Page 0')).toBeVisible();
  await page.goBack();
  await expect(row(page, 'Page 25')).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Find by name' });
  await search.fill('PAGE 25');
  await expect(campaignTable(page).getByRole('row')).toHaveCount(2); // with its headers
  await search.fill('');
  await expect(row(page, 'Page 24')).toBeVisible();

  let sent = 1;
  await page.route('**/api/admin/sms/campaigns?*', async (route) => {
    const answer = await route.fetch();
    const list = (await answer.json()) as { campaigns: Record<string, unknown>[] };
    const status = sent < 3 ? 'sending' : 'sent';
    Object.assign(list.campaigns[0] ?? {}, { status, recipientCount: 3, sentCount: sent });
    sent = Math.min(3, sent + 1);
    await route.fulfill({ response: answer, json: list });
  });
  await page.reload();
  await expect(row(page, 'Page 25').getByRole('progressbar')).toHaveAttribute(
    'aria-label',
    'Progress of Page 25',
  );
  await expect(row(page, 'Page 25')).toContainText('3 of 3: 3 sent', { timeout: 30_000 });
});

test('axe finds nothing, and nothing scrolls sideways', async ({ page }) => {
  const template = await makeTemplate(page, 'Axe');
  const { id } = await scheduleOne(page, template.id, 'A rather long name for a campaign');
  await page.emulateMedia({ reducedMotion: 'reduce' });

  const isFine = async (state: string) => {
    expect(await violationsInBothSchemes(page), state).toEqual([]);
    await expectNoSidewaysScroll(page, state);
  };

  await openConsole(page, SECTION);
  await expect(page.getByText('A rather long name').first()).toBeVisible();
  await isFine('overview');
  await tab(page, 'Templates').click();
  await page.getByRole('button', { name: 'New Template' }).click();
  await page.getByRole('button', { name: 'Create template' }).click();
  await expect(page.getByText(REQUIRED).first()).toBeVisible();
  await isFine('templates');
  await tab(page, 'Campaigns').click();
  await expect(row(page, 'A rather long name').first()).toBeVisible();
  await isFine('campaigns');
  await page.getByRole('button', { name: 'Schedule Campaign' }).click();
  await fillIn(page, 'Axe', 'Axe', '2099-11-01T01:30');
  await page.getByLabel('A list of numbers').check();
  await page.getByLabel('Phone numbers').fill('212-555-0147, 2125550147');
  await page.getByLabel('Why these numbers may be texted').fill('They asked for it.');
  await expect(page.getByText(/Listed more than once/)).toBeVisible();
  await isFine('a new campaign');
  await review(page);
  await expect(dialog(page)).toContainText('Recipients');
  await isFine('its estimate');
  await page.goto(`/admin${CAMPAIGNS}&campaign=${id}`);
  await expect(figure(page, 'Recipients')).toBeVisible();
  await isFine('its report');
  await tab(page, 'Analytics').click();
  await expect(region(page, 'Analytics')).toBeVisible();
  await isFine('analytics');
});
