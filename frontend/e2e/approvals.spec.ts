import type { Browser, Page } from '@playwright/test';
import { violations } from './axe';
import { testOnOwnServer } from './ownServer';
import { onThisDatabase, startServer } from './server';
import { openConsole, signIn, staff, TOKEN_KEY } from './staff';
import { enter, expect, expectNoSidewaysScroll, toast } from './test';

const APPROVALS = '?section=settings&tab=approvals';
const SECOND = { username: 'cleo', password: 'a long sentence nobody guesses' };

const test = testOnOwnServer({ TWO_PERSON: 'on' });

/** A second owner, who came while one person was enough: with two, an invitation has to be approved too. */
async function addSecondOwner(page: Page, databaseUrl: string) {
  const before = await startServer(onThisDatabase(databaseUrl));
  try {
    const login = await page.request.post(`${before.origin}/api/admin/login`, { data: staff });
    const { sessionToken } = (await login.json()) as { sessionToken: string };
    const invited = await page.request.post(`${before.origin}/api/admin/staff`, {
      headers: { Authorization: `Bearer ${sessionToken}` },
      data: { name: SECOND.username, role: 'owner' },
    });
    expect(invited.status()).toBe(201);
    const { invitationUrl } = (await invited.json()) as { invitationUrl: string };
    const token = invitationUrl.split('#invitation=')[1] ?? '';
    const accepted = await page.request.post(`${before.origin}/api/staff/invitations/${token}`, {
      data: { password: SECOND.password },
    });
    expect(accepted.status()).toBe(200);
  } finally {
    await before.stop();
  }
}

async function openAsSecondOwner(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`/admin${APPROVALS}`);
  await signIn(page, SECOND);
  await expect(page.getByRole('heading', { name: 'Waiting for approval' })).toBeVisible();
  return page;
}

const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting for approval' });
const inMenu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true });

/** Answers once the proposal is said and counted. */
async function proposeClearing(page: Page) {
  await inMenu(page, 'Settings').click();
  await page.getByRole('tab', { name: 'General' }).click();
  await page.getByRole('button', { name: 'Clear Analytics Data' }).click();
  const asking = page.getByRole('alertdialog');
  await asking.getByLabel('Type CLEAR to confirm').fill('CLEAR');
  await asking.getByRole('button', { name: 'Clear Analytics Data' }).dblclick();
  const said = page.getByRole('dialog', { name: 'Proposed, not done yet' });
  await expect(said).toContainText('Proposed. Somebody else must approve it by');
  await expect(toast(page)).toHaveCount(0);
  await said.getByRole('link', { name: 'Open Approvals' }).click();
  await expect(inMenu(page, 'Settings, 1 waiting')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Approvals, 1 waiting' })).toBeVisible();
}

test('clearing is proposed by one owner and approved by another', async ({
  page,
  browser,
  own,
}) => {
  const views = async () => Number((await own.query('SELECT count(*) FROM page_views'))[0]?.count);
  await addSecondOwner(page, own.databaseUrl);
  await enter(page, '/garden-bag');
  await expect.poll(views).toBeGreaterThan(0);

  // Whoever proposes something cannot approve it, but can take it back.
  await openConsole(page, '?section=analytics');
  await proposeClearing(page);
  const list = waiting(page);
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(list).toContainText('Clear analytics data');
  await expect(list).toContainText('Proposed by you');
  await expect(list).toContainText('Somebody else must approve it.');
  await expect(list.getByRole('button', { name: /^Approve/ })).toHaveCount(0);
  await list.getByRole('button', { name: /^Withdraw/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(toast(page)).toContainText('Withdrawn');
  await expect(list).toContainText('Nothing waits');
  await expect(inMenu(page, 'Settings')).toBeVisible();
  await page.reload(); // without the toast
  await proposeClearing(page);
  expect(await violations(page)).toEqual([]);

  // An account that was taken over yesterday, say, approves nothing.
  const other = await openAsSecondOwner(browser);
  await expect(waiting(other)).toContainText(
    'You cannot approve yet: your account must be at least 7 days old.',
  );
  await expect(waiting(other)).toContainText('Proposed by staff');
  await expect(waiting(other).getByRole('button', { name: /^Approve/ })).toHaveCount(0);
  await expect(waiting(other).getByRole('button', { name: /^Reject/ })).toBeVisible();
  expect(await views()).toBeGreaterThan(0);

  await own.query(
    `UPDATE staff_members SET active_since = now() - interval '8 days' WHERE name = '${SECOND.username}'`,
  );
  await other.reload();
  await waiting(other)
    .getByRole('button', { name: /^Approve/ })
    .click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).dblclick();
  await expect(toast(other)).toContainText('The server is deleting the data now.');
  await expect(waiting(other)).toContainText('Nothing waits');
  await expect(inMenu(other, 'Settings')).toBeVisible();
  await expect.poll(views).toBe(0);
  const all = other.getByRole('table', { name: /What was proposed/ });
  const approved = all.getByRole('row').filter({ hasText: 'Approved' });
  await expect(approved).toHaveCount(1);
  await expect(approved).toContainText('cleo');
  await expect(all.getByRole('row').filter({ hasText: 'Rejected' })).toHaveCount(1);

  const cleared = () => own.query("SELECT 1 FROM admin_audit_log WHERE action = 'clear_analytics'");
  await expect.poll(cleared).toHaveLength(1);
  await other.goto('/admin?section=settings');
  const activity = other.getByRole('table', { name: /What staff did/ });
  for (const action of ['Propose', 'Approve proposal', 'Reject proposal', 'Clear analytics']) {
    await expect(activity.getByRole('cell', { name: action, exact: true }).first()).toBeVisible();
  }

  const token = await page.evaluate((key) => localStorage.getItem(key), TOKEN_KEY);
  const invited = await page.request.post('/api/admin/staff', {
    headers: { Authorization: `Bearer ${token}` },
    data: { name: 'dora', role: 'viewer' },
  });
  expect(invited.status()).toBe(202);
  await other.goto(`/admin${APPROVALS}`);
  await waiting(other)
    .getByRole('button', { name: /^Approve/ })
    .click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).dblclick();
  await expect(toast(other)).toContainText('staff finds the link under All proposals.');
  await expect(other.getByRole('button', { name: /^Show the link/ })).toHaveCount(0);
  await page.goto(`/admin${APPROVALS}`);
  const show = page.getByRole('button', { name: /^Show the link/ });
  await show.dblclick();
  await expect(page.getByLabel('The invitation link')).toHaveValue(/#invitation=/);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(show).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('table', { name: /What was proposed/ })).toContainText('Invite dora');
  await expect(show).toHaveCount(0);
  await importByTwo(page, other);
  await other.context().close();
});

/** A file that is too large for one person: proposed, approved by the other, and chosen again. */
async function importByTwo(page: Page, other: Page) {
  const lines = Array.from({ length: 1001 }, (_, n) => `(212) 557-${1000 + n},garden-bag,Booth`);
  const file = {
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['phoneNumber,landingPage,consentBasis', ...lines].join('\r\n')),
  };
  const choose = async () => {
    await page.getByLabel('File', { exact: true }).setInputFiles(file);
    await page.getByRole('button', { name: 'Import 1,001 people' }).dblclick();
  };
  await page.goto('/admin?section=people&view=import');
  await choose();
  await expect(page.getByText('Then choose the same file here again')).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await other.goto(`/admin${APPROVALS}`);
  await expect(waiting(other)).toContainText('Import 1001 people from a file.');
  await waiting(other)
    .getByRole('button', { name: /^Approve/ })
    .click();
  await expect(other.getByRole('alertdialog')).toContainText('with this SHA-256');
  await other.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).dblclick();
  await expect(toast(other)).toContainText('staff finds the next step under All proposals.');
  expect(await violations(other)).toEqual([]);

  await page.goto(`/admin${APPROVALS}`);
  await page.setViewportSize({ width: 390, height: 844 });
  const again = page.getByRole('link', { name: 'Choose the same file again' });
  await expect(again).toBeVisible();
  await expectNoSidewaysScroll(page);
  await again.click();
  await choose();
  await expect(page.getByText(/1,001 people imported/)).toBeVisible();
  await page.goto(`/admin${APPROVALS}`);
  await expect(page.getByRole('table', { name: /What was proposed/ })).toContainText('Import 1001');
  await expect(again).toHaveCount(0);
}
