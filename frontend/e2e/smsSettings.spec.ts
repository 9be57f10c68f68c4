import type { Page } from '@playwright/test';
import { violationsInBothSchemes } from './axe';
import { testOnOwnServer } from './ownServer';
import { openConsole } from './staff';
import { enter, expect, expectNoSidewaysScroll, newPhone, toast } from './test';
import { withTexting } from './texting';
import { textKeys } from './textProvider';

const SETTINGS = '?section=settings';
const WELCOME = '?section=sms&tab=welcome';

const test = testOnOwnServer();
test.describe.configure({ timeout: 120_000 }); // several screens each, on busy machines too

const provider = (page: Page) => page.getByRole('region', { name: 'Text-message provider' });
const messages = (page: Page) => page.getByRole('region', { name: 'Welcome messages' });
const message = (page: Page, name: string) =>
  messages(page).getByRole('listitem').filter({ hasText: name });
const activity = (page: Page) => page.getByRole('table', { name: /What staff did/ });

async function fillIn(page: Page, keys = textKeys) {
  await provider(page).getByLabel('Account SID').fill(keys.TWILIO_ACCOUNT_SID);
  await provider(page).getByLabel('Auth Token').fill(keys.TWILIO_AUTH_TOKEN);
  await provider(page).getByLabel('Phone Number').fill(keys.TWILIO_PHONE_NUMBER);
}

const save = (page: Page) => provider(page).getByRole('button', { name: 'Save credentials' });

async function sendTestText(page: Page, number: string) {
  await provider(page).getByLabel('Number to try').fill(number);
  await provider(page).getByRole('button', { name: 'Send a test text' }).dblclick();
}

// The first on its server, which has no credentials yet.
test('nothing can be tried without credentials, and wrong ones show an error', async ({ page }) => {
  await openConsole(page, SETTINGS);
  await expect(provider(page).getByText('Not configured')).toBeVisible();
  await sendTestText(page, '(555) 123-4567');
  await expect(provider(page).getByText('Texts are not configured')).toBeVisible();
  await fillIn(page, { ...textKeys, TWILIO_AUTH_TOKEN: 'secret' });
  await save(page).click();
  await expect(provider(page).getByLabel('Auth Token')).toBeFocused();
  await expect(provider(page).getByText('Must be 32 letters a to f and digits')).toBeVisible();
});

test('credentials are saved, sealed, and known by their last signs', async ({ page, own }) => {
  await openConsole(page, SETTINGS);
  await fillIn(page);
  await save(page).dblclick();
  await expect(toast(page)).toContainText('Credentials saved');
  await expect(provider(page).getByText('Configured', { exact: true })).toBeVisible();
  await page.reload();
  await expect(provider(page).getByText('cdef')).toBeVisible();
  await expect(provider(page).getByText('0100')).toBeVisible();
  await expect(provider(page).getByLabel('Auth Token')).toHaveValue('');
  await expect(activity(page)).toContainText('Save text credentials');
  await expect(activity(page)).toContainText('Phone number: ends in 0100');

  const stored = JSON.stringify(await own.query('SELECT * FROM system_settings'));
  for (const secret of Object.values(textKeys)) expect(stored).not.toContain(secret);
  const written = await own.query(
    "SELECT id FROM admin_audit_log WHERE action = 'save_credentials'",
  );
  expect(written).toHaveLength(1);
});

test('the dashboard has the provider too, beside what is sold', async ({ page }) => {
  await openConsole(page, '?section=analytics&tab=pricing');
  await expect(provider(page).getByLabel('Account SID')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear Campaigns' })).toBeVisible();
});

test('a test text is followed to its end, and a welcome arrives as it was written', async ({
  page,
}) => {
  await withTexting(page, {}, async ({ origin, call, openConsole: open, provider: standIn }) => {
    interface Texts {
      messages: { body: string; to: string }[];
    }
    const textsTo = async (to: string) => {
      const answer = await fetch(`${standIn.url}/control/messages?to=${encodeURIComponent(to)}`);
      return ((await answer.json()) as Texts).messages.map(({ body }) => body);
    };
    await open(SETTINGS);
    await fillIn(page);
    await save(page).click();
    await expect(toast(page)).toContainText('Credentials saved');
    await sendTestText(page, '(212) 555-0147');
    await expect(provider(page).getByText('The test text arrived.')).toBeVisible({
      timeout: 60_000,
    });
    expect(await textsTo('+12125550147')).toEqual([expect.stringContaining('test text')]);
    await sendTestText(page, '+15005550001'); // which the provider knows to be no number
    await expect(provider(page).getByText(/did not take the test text.*21211/)).toBeVisible({
      timeout: 60_000,
    });

    const words = { landingPage: 'fresh-sips', messageTemplate: 'Cheers: {USER_LINK}' };
    await call('POST', '/api/admin/welcome-sms', words);
    await call('POST', '/api/users/register', {
      phoneNumber: '212-555-0148',
      landingPage: 'fresh-sips',
    });
    await expect
      .poll(() => textsTo('+12125550148'), { timeout: 60_000 })
      .toEqual([expect.stringMatching(`^Cheers: ${origin}/fresh-sips/ref/[A-Z0-9]{8}$`)]);
  });
});

test('a welcome message is written, changed and deleted, one for each landing page', async ({
  page,
  own,
}) => {
  const stored = () =>
    own.query('SELECT landing_page, message_template FROM welcome_sms_templates ORDER BY id');
  await openConsole(page, WELCOME);
  await expect(messages(page).getByText('Default message')).toHaveCount(4);
  await page.getByRole('button', { name: 'New Welcome Message' }).click();
  await page.getByRole('button', { name: 'Create message' }).click();
  await expect(toast(page)).toContainText(
    'Please select a landing page and enter a message template',
  );
  await page.getByLabel('Landing page').selectOption('fresh-sips');
  await page.getByLabel('Message template').fill('Cheers: ');
  await page.getByRole('button', { name: 'Insert [your-link]' }).click();
  const preview = page.getByRole('group', { name: 'Preview' });
  await expect(preview).toContainText(/Cheers: http.*\/fresh-sips\/ref\/ABCD2345/);
  await expect(preview).toContainText('GSM-7, 1 segment');
  await page.getByRole('button', { name: 'Create message' }).dblclick();
  await expect(toast(page)).toContainText('Welcome template created successfully');
  expect(await stored()).toEqual([
    { landing_page: 'fresh-sips', message_template: 'Cheers: [your-link]' },
  ]);

  await page.reload();
  await expect(message(page, 'Fresh Sips')).toContainText('Cheers: [your-link]');
  await page.getByRole('button', { name: 'New Welcome Message' }).click();
  await expect(page.getByRole('option', { name: /Fresh Sips.*has one/ })).toBeDisabled();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Edit Fresh Sips Mixology Kit' }).click();
  await page.getByLabel('Message template').fill('Your link: {LINK}');
  await page.getByRole('button', { name: 'Save message' }).click();
  await expect(toast(page)).toContainText('Welcome template updated successfully');
  await expect(message(page, 'Fresh Sips')).toContainText('Your link: {LINK}');

  await page.getByRole('button', { name: 'Delete Fresh Sips Mixology Kit' }).click();
  await page.getByRole('button', { name: 'Delete message' }).click();
  await expect(toast(page)).toContainText('Welcome template deleted successfully');
  await expect(messages(page).getByText('Default message')).toHaveCount(4);
  expect(await stored()).toEqual([]);

  await page.goto(`/admin${SETTINGS}`);
  for (const act of ['Create', 'Update', 'Delete']) {
    await expect(activity(page)).toContainText(`${act} welcome message`);
  }
});

test('two tabs cannot both write the welcome message of a landing page', async ({
  page,
  context,
}) => {
  const create = async (tab: Page, words: string) => {
    await tab.getByLabel('Landing page').selectOption('kitchen-garden');
    await tab.getByLabel('Message template').fill(words);
    await tab.getByRole('button', { name: 'Create message' }).click();
  };
  await openConsole(page, WELCOME);
  await page.getByRole('button', { name: 'New Welcome Message' }).click();
  const other = await context.newPage();
  await other.goto(`/admin${WELCOME}`);
  await other.getByRole('button', { name: 'New Welcome Message' }).click();
  await create(other, 'Theirs');
  await expect(toast(other)).toContainText('created successfully');
  await create(page, 'Mine');
  await expect(toast(page)).toContainText('Failed to create template');
  await expect(page.getByLabel('Message template')).toHaveValue('Mine');
  await expect(message(page, 'Kitchen Garden')).toContainText('Theirs');
});

test('clearing texts deletes what it says: in Settings the templates too', async ({
  page,
  own,
}) => {
  await enter(page, '/garden-bag', newPhone());
  const token = await openConsole(page, '?section=analytics&tab=pricing');
  const post = async (path: string, data: object) => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await page.request.post(`/api/admin/sms/${path}`, { headers, data });
    expect(answer.status()).toBe(201);
    return (await answer.json()) as { id: number };
  };
  const { id: templateId } = await post('templates', {
    name: 'Later',
    landingPage: 'garden-bag',
    messageTemplate: 'Look: {LINK}',
  });
  await post('campaigns/schedule', {
    templateId,
    campaignName: 'Later',
    scheduledDate: '2099-07-01T16:00:00Z',
    targetAudience: 'all',
  });
  const counts = async () => {
    const [row] = await own.query(`SELECT
      (SELECT count(*) FROM sms_scheduled_campaigns) AS campaigns,
      (SELECT count(*) FROM sms_campaign_templates) AS templates`);
    return [Number(row?.campaigns), Number(row?.templates)];
  };
  const clear = async (button: string, rows: RegExp) => {
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByText(rows)).toBeVisible();
    await dialog.getByLabel('Type CLEAR to confirm').fill('CLEAR');
    await dialog.getByRole('button', { name: button }).dblclick();
    await expect(dialog).toHaveCount(0);
  };

  await clear('Clear Campaigns', /^1 campaign, 0 texts and 0 clicks$/);
  await expect(toast(page)).toContainText('Campaigns cleared');
  expect(await counts()).toEqual([0, 1]);
  await page.getByRole('link', { name: 'Settings' }).click();
  await clear('Clear All SMS Data', /^0 campaigns, 0 texts, 0 clicks, 1 template and 0 replies$/);
  await expect(toast(page)).toContainText('SMS data cleared');
  expect(await counts()).toEqual([0, 0]);
  await expect(activity(page)).toContainText('Clear campaigns');
  await expect(activity(page)).toContainText('Clear all SMS data');
});

test('axe finds nothing, and nothing scrolls sideways', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const isFine = async (state: string) => {
    expect(await violationsInBothSchemes(page), state).toEqual([]);
    await expectNoSidewaysScroll(page, state);
  };
  await openConsole(page, SETTINGS);
  await save(page).click();
  await expect(provider(page).getByText(/^Must be AC and 32/)).toBeVisible();
  await isFine('settings');
  await page.goto(`/admin${WELCOME}`);
  await page.getByRole('button', { name: 'New Welcome Message' }).click();
  await page.getByLabel('Message template').fill('A word with ç: {LINK}');
  await expect(page.getByRole('group', { name: 'Preview' })).toContainText('UCS-2');
  await isFine('welcome messages');
});
