import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Page } from '@playwright/test';
import { violationsInBothSchemes } from './axe';
import { testOnOwnServer } from './ownServer';
import { newSession, openConsole } from './staff';
import { expect, expectNoSidewaysScroll, newPhone, themes, toast } from './test';

const DRAWING = '?section=drawing';
const PERFORM = '**/api/admin/drawing/perform';

const test = testOnOwnServer();

/** Enters so many people into a raffle; answers who they are, with their numbers as they are kept. */
async function enterInto(request: APIRequestContext, landingPage: string, count: number) {
  const entered: { id: number; phone: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const phoneNumber = newPhone();
    const answer = await request.post('/api/users/register', {
      data: { phoneNumber, landingPage },
    });
    expect(answer.status()).toBe(201);
    const { user } = (await answer.json()) as { user: { id: number } };
    entered.push({ id: user.id, phone: `+1${phoneNumber.replace(/\D/g, '')}` });
  }
  return entered;
}

const select = (page: Page) => page.getByLabel('Raffle', { exact: true });
const button = (page: Page) => page.locator('.draw').getByRole('button', { name: /^Draw/ });
const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Confirm Drawing' });
const confirm = (page: Page) => dialog(page).getByRole('button', { name: /^Draw/ });
const result = (page: Page) => page.getByRole('region', { name: 'Result of the drawing' });
const history = (page: Page) => page.getByRole('table', { name: /winners/ });
const rows = (page: Page) => history(page).getByRole('row').filter({ hasText: 'Proof of' });

/** Asks for a drawing; for an additional one, if an earlier test had the one of this month. */
async function ask(page: Page, raffle: string) {
  const option = select(page).locator(`option[value="${raffle}"]`);
  await expect(option).toBeAttached();
  if (await option.isDisabled()) {
    await page.getByLabel('Additional drawing').check();
    await page.getByLabel('Prize', { exact: true }).fill('Garden Bag Essentials');
    await page.getByLabel('Value', { exact: true }).fill('$150+');
    await page.getByLabel('Reason', { exact: true }).fill('A second winner');
  }
  await select(page).selectOption(raffle);
  await button(page).click();
  await expect(dialog(page)).toBeVisible();
}

/** Draws without the screen, so that there is a history. */
async function drawFrom(page: Page, landingPage: string, times = 1) {
  const headers = { Authorization: `Bearer ${await newSession(page)}` };
  for (let run = 0; run < times; run += 1) {
    const answer = await page.request.post('/api/admin/drawing/perform', {
      headers,
      data: { landingPage },
    });
    expect(answer.status()).toBe(201);
  }
}

/** Sets how fast everything on the page moves, and gives a function that sets it again. */
async function moving(page: Page, rate: number) {
  const chromium = await page.context().newCDPSession(page);
  await chromium.send('Animation.enable');
  const speed = (playbackRate: number) =>
    chromium.send('Animation.setPlaybackRate', { playbackRate });
  await speed(rate);
  return speed;
}

// The first on its server, on which nobody has entered and nothing was drawn.
test('a raffle without entrants cannot be drawn', async ({ page }) => {
  await openConsole(page);
  await page.getByRole('link', { name: 'Drawing' }).click();
  await expect(page.getByRole('heading', { name: 'Random Drawing' })).toBeVisible();
  await expect(page).toHaveURL(/\?section=drawing$/);
  await expect(page.getByText('No drawings performed yet')).toBeVisible();
  const statistics = page.getByRole('table', { name: /each raffle/ }).getByRole('row');
  await expect(statistics).toHaveCount(5);
  for (const [index, { key, name }] of themes.entries()) {
    await expect(statistics.nth(index + 1)).toContainText(name);
    await expect(select(page).locator(`option[value="${key}"]`)).toHaveText(
      `${name} (0 participants)`,
    );
    await expect(select(page).locator(`option[value="${key}"]`)).toBeDisabled();
  }
  await button(page).click();
  await expect(toast(page)).toContainText('Select Raffle');
  await expect(toast(page)).toContainText('Please select a landing page/raffle to draw from');
  await expect(select(page)).toBeFocused();
});

test(
  'a winner is drawn once, however often it is clicked, and stays in the history',
  { tag: '@main' },
  async ({ page, context, request, own }) => {
    const entered = await enterInto(request, 'garden-bag', 5);
    await openConsole(page, DRAWING);
    await ask(page, 'garden-bag');
    await expect(dialog(page)).toContainText('This action cannot be undone');
    await expect(dialog(page)).toContainText('randomly selects a winner from all entries');
    await expect(dialog(page)).toContainText('Garden Bag Essentials');
    await expect(dialog(page)).toContainText('Participants5');
    const drawn = page.waitForResponse(PERFORM);
    await confirm(page).dblclick();
    const drawing = (await (await drawn).json()) as Record<string, number | string>;
    const phones = entered.map(({ phone }) => phone);
    expect(phones).toContain(drawing.winnerPhoneNumber);
    const lastFour = String(drawing.winnerPhoneNumber).slice(-4);

    await expect(toast(page)).toContainText('Drawing Complete!');
    await expect(toast(page)).toContainText(
      `Winner selected: ${lastFour} (Entry #${drawing.winningEntryNumber})`,
    );
    await expect(dialog(page)).toHaveCount(0);
    await expect(result(page)).toContainText(`***-***-${lastFour}`);
    await expect(result(page)).toContainText(`Entry #${drawing.winningEntryNumber}`);
    await expect(select(page)).toHaveValue('');
    await expect(rows(page)).toHaveCount(1);
    expect(await own.query('SELECT id FROM drawing_results')).toHaveLength(1);

    const [proof] = await Promise.all([
      context.waitForEvent('page'),
      result(page)
        .getByRole('link', { name: /See the proof/ })
        .click(),
    ]);
    await expect(proof).toHaveURL(new RegExp(`/drawings/${drawing.id}$`));
    await proof.close();

    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(`***-***-${lastFour}`);
    const second = await context.newPage();
    await second.goto(`/admin${DRAWING}`);
    await expect(rows(second)).toHaveCount(1);
    await second.goto('/admin?section=settings&action=perform_drawing');
    const activity = second.getByRole('table', { name: /What staff did/ });
    await expect(activity).toContainText('Perform drawing');
    await expect(activity).toContainText(`Drawing ${drawing.id}`);
    await expect(activity).toContainText('Raffle: Garden Bag Essentials');
    await second.close();
  },
);

test('a lost answer does not draw twice', async ({ page, request, own }) => {
  await enterInto(request, 'fresh-sips', 3);
  await openConsole(page, DRAWING);
  const keys: (string | undefined)[] = [];
  await page.route(PERFORM, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const answer = await route.fetch();
    await (keys.length === 1 ? route.abort() : route.fulfill({ response: answer }));
  });
  await ask(page, 'fresh-sips');
  await confirm(page).click();
  await expect(dialog(page).getByRole('alert')).toContainText('nobody is drawn twice');
  await expect(toast(page)).toContainText('Drawing Failed');
  await expect(toast(page)).toContainText('Failed to perform drawing');
  await confirm(page).click();
  await expect(result(page)).toContainText('Winner of Fresh Sips Mixology Kit');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  const drawn = await own.query("SELECT id FROM drawing_results WHERE landing_page = 'fresh-sips'");
  expect(drawn).toHaveLength(1);
});

test('it works with the keyboard alone, and any key stops the drum', async ({ page, request }) => {
  await enterInto(request, 'kitchen-garden', 2);
  await openConsole(page, DRAWING);
  await select(page).focus();
  await page.keyboard.type('Kitchen');
  await expect(select(page)).toHaveValue('kitchen-garden');
  await page.keyboard.press('Tab');
  await expect(button(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(button(page)).toBeFocused();
  await expect(select(page)).toHaveValue('kitchen-garden');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(confirm(page)).toBeFocused();

  await moving(page, 1 / 3600); // the drum would turn for an hour, so what stops it is the key
  await page.keyboard.press('Enter');
  await expect(page.getByText('Turning the drum...')).toBeVisible();
  await expect(result(page)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(result(page)).toContainText('Winner of Kitchen Garden Essentials');
  await expect(toast(page)).toContainText('Drawing Complete!');
  await page.keyboard.press('Tab');
  await expect(result(page).getByRole('link')).toBeFocused();
});

test('the drum turns for about a second when it is not stopped', async ({ page, request }) => {
  await enterInto(request, 'garden-bag', 1);
  await openConsole(page, DRAWING);
  const speed = await moving(page, 1 / 3600); // slow enough to be looked at
  await ask(page, 'garden-bag');
  await confirm(page).click();
  await expect(page.getByText('Turning the drum...')).toBeVisible();
  const duration = await page
    .locator('.drum-crank')
    .evaluate((crank) => crank.getAnimations()[0]?.effect?.getComputedTiming().duration);
  expect(duration).toBeLessThanOrEqual(1_500);
  await speed(1);
  await expect(result(page)).toContainText('Winner of Garden Bag Essentials');
});

test('a raffle that has become empty shows an error, and is no longer offered', async ({
  page,
  request,
}) => {
  const entered = await enterInto(request, 'sustainable-living', 1);
  const token = await openConsole(page, DRAWING);
  await ask(page, 'sustainable-living');
  const flagged = await page.request.post('/api/admin/flag-user', {
    headers: { Authorization: `Bearer ${token}` },
    data: { userId: entered[0]?.id, reason: 'Not a person', publicReason: 'automated' },
  });
  expect(flagged.status()).toBe(200);
  await confirm(page).click();
  const sentence = 'Nobody can be drawn: this raffle has no participants.';
  await expect(dialog(page).getByRole('alert')).toHaveText(sentence);
  await expect(toast(page)).toContainText('Drawing Failed');
  await expect(toast(page)).toContainText(sentence);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(select(page).locator('option[value="sustainable-living"]')).toBeDisabled();
});

test('the history is sorted and paged by its address, and saved whole', async ({
  page,
  request,
  own,
}) => {
  await enterInto(request, 'garden-bag', 1);
  await enterInto(request, 'kitchen-garden', 1);
  await drawFrom(page, 'kitchen-garden', 1);
  await drawFrom(page, 'garden-bag', 25);
  const total = (await own.query('SELECT id FROM drawing_results')).length;
  await openConsole(page, DRAWING);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(rows(page)).toHaveCount(25);
  await expect(rows(page).first()).toContainText('Garden Bag');
  await page.getByRole('button', { name: 'Raffle', exact: true }).click();
  await expect(page).toHaveURL(/section=drawing&sort=landingPage&order=asc$/);
  await page.getByRole('button', { name: 'Raffle', exact: true }).click();
  await expect(page).toHaveURL(/section=drawing&sort=landingPage$/);
  await expect(rows(page).first()).not.toContainText('Garden Bag');
  const pages = page.getByRole('navigation', { name: 'Pages of drawings' });
  await pages.getByRole('button', { name: 'Next page' }).click();
  await expect(rows(page)).toHaveCount(Math.min(25, total - 25));
  await expect(rows(page).first()).toContainText('Garden Bag');
  await page.reload();
  await expect(rows(page).first()).toContainText('Garden Bag');
  await expect(history(page).getByRole('columnheader', { name: 'Raffle' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await page.goBack();
  await expect(rows(page)).toHaveCount(25);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^tombola-drawings-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.trim().split(/\r?\n/)).toHaveLength(total + 1);
});

test('axe finds nothing, and nothing scrolls sideways', async ({ page, request }) => {
  await enterInto(request, 'garden-bag', 1);
  await drawFrom(page, 'garden-bag');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openConsole(page, DRAWING);
  await expect(rows(page).first()).toBeVisible();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await ask(page, 'garden-bag');
  expect(await violationsInBothSchemes(page), 'confirming').toEqual([]);
  await confirm(page).click();
  await expect(result(page)).toContainText('Winner of Garden Bag Essentials');
  expect(await violationsInBothSchemes(page), 'the result').toEqual([]);
  await expectNoSidewaysScroll(page);
});
