import type { Locator, Page } from '@playwright/test';
import { violationsInBothSchemes } from './axe';
import { testOnOwnServer } from './ownServer';
import { openConsole } from './staff';
import { expect, toast } from './test';

const PRICING = '?section=analytics&tab=pricing';

// With keys, so that packages can be bought as far as the console knows. No test asks the provider.
const test = testOnOwnServer({
  STRIPE_SECRET_KEY: 'sk_test_console',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_console',
  STRIPE_WEBHOOK_SECRET: 'whsec_console',
});

const pricingSwitch = (page: Page) => page.getByRole('switch', { name: 'Show pricing' });
const packages = (page: Page) => page.getByRole('table', { name: /What users can buy/ });
const row = (page: Page, name: string) => packages(page).getByRole('row').filter({ hasText: name });

interface Package {
  name: string;
  description?: string;
  entries?: string;
  price?: string;
  sortOrder?: string;
}

async function fill(dialog: Locator, changes: Partial<Package>) {
  const labels = { name: 'Name', description: 'Description', entries: 'Entries' };
  const all = { ...labels, price: 'Price in dollars', sortOrder: 'Sort order' };
  for (const [name, value] of Object.entries(changes)) {
    await dialog.getByLabel(all[name as keyof Package], { exact: true }).fill(value);
  }
}

async function create(page: Page, values: Package) {
  await page.getByRole('button', { name: 'New package' }).click();
  const dialog = page.getByRole('dialog', { name: 'New package' });
  await fill(dialog, { description: 'More chances to win', ...values });
  await dialog.getByRole('button', { name: 'Create package' }).dblclick();
  await expect(dialog).toHaveCount(0);
  await expect(row(page, values.name)).toHaveCount(1);
}

/** What visitors get. */
async function offered(page: Page) {
  const answer = await page.request.get('/api/entry-packages');
  return (await answer.json()) as {
    packages: { name: string; price: number; entries: number }[];
    showPricing: boolean;
  };
}

test('a package is created, changed and deleted, and every step is written down', async ({
  page,
  own,
}) => {
  await openConsole(page, PRICING);
  await create(page, { name: 'Mega Pack', entries: '1,000', price: '49.9', sortOrder: '7' });
  await expect(toast(page)).toContainText('Entry package created successfully');
  await expect(row(page, 'Mega Pack').getByRole('cell')).toContainText([
    'More chances to win',
    '1,000',
    '$49.90',
    'Active',
    '7',
  ]);
  const made = await own.query("SELECT 1 FROM entry_packages WHERE name = 'Mega Pack'");
  expect(made).toHaveLength(1); // pressed twice
  expect((await offered(page)).packages).toMatchObject([
    { name: 'Mega Pack', price: 4_990, entries: 1_000 },
  ]);

  await page.getByRole('button', { name: 'Edit Mega Pack' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit Mega Pack' });
  await expect(editing.getByLabel('Price in dollars')).toHaveValue('49.90');
  await fill(editing, { price: '29' });
  await editing.getByLabel('Active').uncheck();
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('Entry package updated successfully');
  await expect(row(page, 'Mega Pack')).toContainText('$29.00');
  await expect(row(page, 'Mega Pack')).toContainText('Hidden from users');
  expect((await offered(page)).packages).toEqual([]);

  await page.getByRole('button', { name: 'Delete Mega Pack' }).click();
  const asking = page.getByRole('alertdialog', { name: 'Delete Mega Pack?' });
  await expect(asking).toContainText('Past purchases and their entries are kept');
  await asking.getByRole('button', { name: 'Delete package' }).dblclick();
  await expect(toast(page)).toContainText('Entry package deleted successfully');
  await expect(page.getByText('No entry packages yet')).toBeVisible();

  await page.getByRole('link', { name: 'Settings' }).click();
  const activity = page.getByRole('table', { name: /What staff did/ });
  await expect(activity).toContainText('Create package');
  await expect(activity).toContainText('Update package');
  await expect(activity).toContainText('Delete package');
  await expect(activity).toContainText('Name: Mega Pack');
  await expect(activity).toContainText('Price: $29.00');
});

test('the switch changes what users see at once, in every tab', async ({ page, context }) => {
  await openConsole(page, PRICING);
  await expect(pricingSwitch(page)).not.toBeChecked();
  expect((await offered(page)).showPricing).toBe(false);
  const other = await context.newPage();
  await other.goto(`/admin${PRICING}`);
  await expect(pricingSwitch(other)).not.toBeChecked();

  await pricingSwitch(page).dblclick();
  await expect(toast(page)).toContainText('Pricing display updated');
  await expect(toast(page)).toContainText('Changes will take effect immediately for users.');
  await expect(pricingSwitch(page)).toBeChecked();
  expect((await offered(page)).showPricing).toBe(true);
  await other.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect(pricingSwitch(other)).toBeChecked();

  await pricingSwitch(page).focus();
  await page.keyboard.press('Space');
  await expect(pricingSwitch(page)).not.toBeChecked();
  await expect.poll(async () => (await offered(page)).showPricing).toBe(false);
  await page.reload();
  await expect(pricingSwitch(page)).not.toBeChecked();
});

test('packages are listed in the order that staff give them', async ({ page }) => {
  await openConsole(page, PRICING);
  for (const [name, sortOrder] of [
    ['Third', '30'],
    ['First', '10'],
    ['Second', '20'],
  ] as const) {
    await create(page, { name, sortOrder });
  }
  await expect(packages(page).getByRole('rowheader')).toHaveText(['First', 'Second', 'Third']);
  const names = (await offered(page)).packages.map(({ name }) => name);
  expect(names).toEqual(['First', 'Second', 'Third']);
});

test('a package that another tab has deleted is not brought back', async ({ page, context }) => {
  await openConsole(page, PRICING);
  await create(page, { name: 'Passing' });
  const other = await context.newPage();
  await other.goto(`/admin${PRICING}`);
  await other.getByRole('button', { name: 'Edit Passing' }).click();
  await page.getByRole('button', { name: 'Delete Passing' }).click();
  await page.getByRole('button', { name: 'Delete package' }).click();
  await expect(row(page, 'Passing')).toHaveCount(0);

  const dialog = other.getByRole('dialog', { name: 'Edit Passing' });
  await fill(dialog, { description: 'Still here' });
  await other.keyboard.press('Enter');
  await expect(toast(other)).toContainText('Failed to update package');
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
  await expect(dialog.getByLabel('Description')).toHaveValue('Still here');
  await other.keyboard.press('Escape');
  await other.getByRole('button', { name: 'Discard' }).click();
  await expect(row(other, 'Passing')).toHaveCount(0);
});

test('a slow answer keeps its place', async ({ page }) => {
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/api/admin/{settings,entry-packages}', async (route) => {
    await arrival;
    await route.continue();
  });
  await openConsole(page, PRICING);
  const card = page.getByRole('region', { name: 'Pricing display' });
  await expect(card.getByText('Loading...')).toBeAttached();
  await expect(page.getByRole('heading', { name: 'Entry packages' })).toBeVisible();
  arrive();
  await expect(pricingSwitch(page)).toBeVisible();
  await expect(card.getByText('Loading...')).toHaveCount(0);
});

const withoutProvider = testOnOwnServer();

withoutProvider('without a provider the tab says what to set', async ({ page }) => {
  await openConsole(page, PRICING);
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments.getByText('Payments are not configured')).toBeVisible();
  await expect(payments).toContainText('STRIPE_SECRET_KEY');
});

test('axe finds nothing, and nothing scrolls sideways', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openConsole(page, PRICING);
  const name = 'Entschuldigungsschreibensammlung '.padEnd(80, 'm');
  const description = 'W'.repeat(300);
  const great = { entries: '1000000', price: '999999.99', sortOrder: '999999' };
  await create(page, { name, description, ...great });
  expect(await violationsInBothSchemes(page)).toEqual([]);
  const sideways = async () => {
    for (const width of [320, 390, 720, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const table = packages(page);
      expect(await table.evaluate((e) => e.scrollWidth - e.parentElement!.clientWidth)).toBe(0);
    }
  };
  await sideways();
  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await violationsInBothSchemes(page), 'editing').toEqual([]);
  await sideways();
});
