import type { Page } from '@playwright/test';
import { violations } from './axe';
import { testOnOwnServer } from './ownServer';
import { endSessionsAt, newSession, openConsole } from './staff';
import { expect, newPhone, toast } from './test';

const DRAWING = '?section=drawing';

const test = testOnOwnServer();
test.use({ viewport: { width: 390, height: 844 } });

type Query = (sql: string) => Promise<Record<string, unknown>[]>;
interface Row {
  id: number;
  needsCall: boolean;
}

const claims = (page: Page) => page.getByRole('region', { name: 'Claims' });
const history = (page: Page) => page.getByRole('region', { name: 'Calls and decisions' });
const badges = (page: Page) => page.locator('.claim-badges');
const dialog = (page: Page) => page.getByRole('alertdialog');
const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const noSidewaysScroll = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

/** Enters with a number that then sends STOP, and is drawn. Answers the claim once it needs a call. */
async function drawSomebodyWithoutTexts(page: Page, query: Query, landingPage: string) {
  const phoneNumber = newPhone();
  const entered = await page.request.post('/api/users/register', {
    data: { phoneNumber, landingPage },
  });
  expect(entered.status()).toBe(201);
  const number = `+1${phoneNumber.replace(/\D/g, '')}`;
  await query(`INSERT INTO sms_opt_outs VALUES ('${number}', true, now())`);
  const headers = { Authorization: `Bearer ${await newSession(page)}` };
  const drawn = await page.request.post('/api/admin/drawing/perform', {
    headers,
    data: { landingPage },
  });
  expect(drawn.status()).toBe(201);
  const newest = async () => {
    const answer = await page.request.get('/api/admin/claims?limit=1', { headers });
    const { claims: rows } = (await answer.json()) as { claims: Row[] };
    return rows[0];
  };
  await expect.poll(async () => (await newest())?.needsCall, { timeout: 15_000 }).toBe(true);
  return (await newest())!;
}

/** Takes a step in its dialog: the note first, if it takes one. */
async function take(page: Page, name: string, note?: string) {
  await act(page, name).click();
  if (note) await dialog(page).getByLabel('Note').fill(note);
  await dialog(page).getByRole('button', { name, exact: true }).dblclick();
  await expect(dialog(page)).toHaveCount(0);
}

/** Confirms the number after a call. Returns the code that is shown once. */
async function confirmNumber(page: Page): Promise<string> {
  await take(page, 'Confirm the number', 'The owner answered.');
  const shown = page.getByRole('dialog', { name: 'Read this code out' });
  const code = await shown.getByLabel('The code', { exact: true }).inputValue();
  expect(await violations(page)).toEqual([]);
  await noSidewaysScroll(page);
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(badges(page)).toContainText('Number proved');
  return code;
}

/** The winner types the code of the call, and sends name and address. Returns the path of the claim's calls. */
async function submitAsWinner(page: Page, code: string): Promise<string> {
  const winner = await page.context().newPage();
  await winner.goto('/claim');
  await winner.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase().replace('-', ' '));
  await winner.getByRole('button', { name: 'Open my claim' }).dblclick();
  await expect(winner.getByRole('heading', { name: 'Claim your prize' })).toBeVisible();
  await noSidewaysScroll(winner);
  expect(await violations(winner)).toEqual([]);
  const path = `/api${new URL(winner.url()).pathname.replace('claim', 'claims')}`;
  await winner.close();
  const submitted = await page.request.post(`${path}/submit`, {
    data: {
      name: 'Ada Lopez',
      addressLine1: '12 Elm Street',
      city: 'Springfield',
      state: 'NY',
      postalCode: '10001',
      isAdult: true,
      isResident: true,
      rulesAccepted: true,
      publicity: false,
    },
  });
  expect(submitted.status()).toBe(200);
  return path;
}

/** A claim with name and address, opened in the console. */
async function openSubmitted(page: Page, query: Query, landingPage: string) {
  const claim = await drawSomebodyWithoutTexts(page, query, landingPage);
  await openConsole(page, `${DRAWING}&claim=${claim.id}`);
  const path = await submitAsWinner(page, await confirmNumber(page));
  await page.reload();
  await expect(badges(page)).toHaveText('To be checked');
  return { ...claim, path };
}

const actionsOf = async (query: Query, id: number) => {
  // The target of a drawing's entry may be the same number.
  const rows = await query(
    `SELECT action FROM admin_audit_log WHERE target = '${id}' AND action NOT LIKE '%_drawing' ORDER BY id`,
  );
  return rows.map(({ action }) => action);
};

// The first on its server, on which nothing was drawn.
test('there are no claims before a drawing', async ({ page }) => {
  await openConsole(page, DRAWING);
  await expect(claims(page)).toContainText('No claims yet');
  await expect(claims(page)).not.toContainText('for you');
});

test('a winner without texts is called, approved and sent the prize', async ({ page, own }) => {
  const claim = await drawSomebodyWithoutTexts(page, own.query, 'garden-bag');
  await openConsole(page, `${DRAWING}&claims.status=needs_call`);
  await expect(claims(page)).toContainText('1 for you');
  await expect(claims(page).locator('tbody tr')).toContainText('Needs a call');
  await noSidewaysScroll(page);
  expect(await violations(page)).toEqual([]);

  await claims(page).locator('tbody').getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`claim=${claim.id}$`));
  await noSidewaysScroll(page);
  expect(await violations(page)).toEqual([]);

  await act(page, 'Note a call').click();
  await dialog(page).getByRole('button', { name: 'Note a call' }).click();
  await expect(dialog(page).getByText('Write a note.')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByLabel('Note').fill('Nobody answered.');
  await dialog(page).getByRole('button', { name: 'Note a call' }).dblclick();
  await expect(toast(page)).toContainText('Call noted');
  await expect(history(page).getByText('Nobody answered.')).toHaveCount(1);
  await expect(act(page, 'Unreachable')).toHaveCount(0); // one call on one day is too little

  await submitAsWinner(page, await confirmNumber(page));
  await page.reload();
  await expect(page.getByRole('region', { name: 'Name and address' })).toContainText('Ada Lopez');
  await take(page, 'Approve');
  await expect(badges(page)).toHaveText('Approved');
  await take(page, 'Mark as delivered');
  await expect(badges(page)).toHaveText('Delivered');
  await page.getByRole('link', { name: 'Back to drawings' }).click();
  await expect(page).toHaveURL(/claims\.status=needs_call$/);
  await expect(claims(page)).toContainText('Nothing matches');

  const steps = await actionsOf(own.query, claim.id);
  expect(steps.filter((action) => action !== 'view_claim_details')).toEqual([
    'note_call',
    'confirm_number',
    'approve_claim',
    'deliver_prize',
  ]);
  expect(steps).toContain('view_claim_details');
  await page.goto('/admin?section=settings&action=approve_claim');
  const activity = page.getByRole('table', { name: /What staff did/ });
  await expect(activity).toContainText(`Claim ${claim.id}`);
});

test('a claim is rejected with a reason and a note, and can still be approved', async ({
  page,
  own,
}) => {
  const claim = await openSubmitted(page, own.query, 'fresh-sips');
  await act(page, 'Reject').click();
  await expect(dialog(page)).toContainText('can object for 7 days');
  await dialog(page).getByRole('button', { name: 'Reject' }).click();
  await expect(dialog(page).getByText('Choose a reason.')).toBeVisible();
  await dialog(page).getByLabel('Reason').selectOption('The details are false');
  await dialog(page).getByLabel('Note').fill('There is no such street.');
  await dialog(page).getByRole('button', { name: 'Reject' }).dblclick();
  await expect(badges(page)).toHaveText('Rejected');
  await expect(history(page)).toContainText('There is no such street.');

  const path = `${claim.path}/object`;
  const data = { message: 'The street is new, and on no map yet.' };
  expect((await page.request.post(path, { data })).status()).toBe(200);
  await page.reload();
  await expect(history(page)).toContainText(data.message);
  await take(page, 'Approve');
  await expect(badges(page)).toHaveText('Approved');
});

test('what is typed stays when the session ends', async ({ page, own }) => {
  await openSubmitted(page, own.query, 'kitchen-garden');
  await act(page, 'Reject').click();
  await dialog(page).getByLabel('Note').fill('There is no such street.');
  await dialog(page).getByLabel('Reason').selectOption('The details are false');
  await endSessionsAt(page, '**/api/admin/claims/*/reject', own.query);
  await dialog(page).getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByRole('heading', { name: 'Log in again' })).toBeVisible();
  await expect(page.getByLabel('Note')).toHaveValue('There is no such street.');
});
