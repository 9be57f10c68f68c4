import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { violationsInBothSchemes } from './axe';
import { freshServer, tombola } from './server';
import { newSession, openConsole } from './staff';
import { startStandIn } from './standIn';
import { test as base, expect, expectNoSidewaysScroll, newPhone } from './test';

const run = promisify(execFile);

interface Site {
  origin: string;
  /** The file of the beacon's chain. Its only host is away until `comeBack`. */
  chainFile: string;
  folder: string;
  /** Runs a statement as the owner of the tables. */
  query: (sql: string) => Promise<object[]>;
  comeBack: () => Promise<void>;
  beaconUrl: string;
}

const test = base.extend<object, { site: Site }>({
  site: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from it which fixtures are needed
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'tombola-void-'));
      const chainFile = join(folder, 'chain.json');
      const beacon = await startStandIn(
        process.env.DRAND_STAND_IN_BIN ?? '../target/debug/drand-stand-in',
        ['--chain-file', chainFile],
      );
      await beacon.control('faults', { kind: 'away' });
      const server = await freshServer({ DRAWING_BEACON: chainFile, DRAWING_DELAY: '4' });
      const client = new pg.Client({ connectionString: server.databaseUrl });
      await client.connect();
      await use({
        origin: server.origin,
        chainFile,
        folder,
        query: async (sql) => (await client.query<object>(sql)).rows,
        comeBack: async () => {
          await fetch(`${beacon.url}/control/faults`, { method: 'DELETE' });
        },
        beaconUrl: beacon.url,
      });
      await client.end();
      await server.stop();
      await beacon.stop();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
  baseURL: [({ site }, use) => use(site.origin), { scope: 'test' }],
});

interface Drawing {
  id: number;
  status: string;
  beacon: { round: number };
}

async function perform(page: Page): Promise<Drawing> {
  const answer = await page.request.post('/api/admin/drawing/perform', {
    headers: { Authorization: `Bearer ${await newSession(page)}` },
    data: { landingPage: 'garden-bag' },
  });
  expect(answer.status()).toBe(202);
  return (await answer.json()) as Drawing;
}

/** What the beacon's host answers to a call for the round. */
async function askHost(site: Site, round: number): Promise<Response> {
  const { chainHash } = JSON.parse(await readFile(site.chainFile, 'utf8')) as { chainHash: string };
  return fetch(`${site.beaconUrl}/${chainHash}/public/${round}`);
}

const part = (page: Page, name: string) => page.getByRole('region', { name });

test('a drawing is void after a week, and drawn after all when somebody brings its round', async ({
  page,
  site,
}) => {
  for (let index = 0; index < 5; index += 1) {
    const data = { phoneNumber: newPhone(), landingPage: 'garden-bag' };
    expect((await page.request.post('/api/users/register', { data })).status()).toBe(201);
  }
  const drawing = await perform(page);
  // As if the round had been due 8 days ago. Nobody but the owner of the tables could do this.
  await site.query(`
    ALTER TABLE drawing_announcements DISABLE TRIGGER drawing_announcements_append_only;
    UPDATE drawing_announcements SET round_at = round_at - interval '8 days';
    ALTER TABLE drawing_announcements ENABLE TRIGGER drawing_announcements_append_only`);

  // The host says that the round is not published until it is really due.
  await expect.poll(async () => (await askHost(site, drawing.beacon.round)).status).toBe(503);

  await page.goto(`/drawings/${drawing.id}`);
  await expect(part(page, 'The random value is missing')).toContainText('every 30 seconds');

  await openConsole(page, '?section=drawing');
  await page.getByRole('button', { name: 'Void', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason').fill('The beacon has been gone for a week');
  await dialog.getByRole('button', { name: 'Void' }).click();
  await expect(dialog).toBeHidden();

  const next = await perform(page);
  expect(next.status).toBe('announced');

  await page.goto(`/drawings/${drawing.id}`);
  const card = part(page, 'Void');
  await expect(card).toContainText('The beacon has been gone for a week');
  await expect(card).toContainText('127.0.0.1: the status is 503');
  await expectNoSidewaysScroll(page);
  expect(await violationsInBothSchemes(page)).toEqual([]);

  const form = part(page, 'The random value is missing');
  await form.getByLabel('Signature').fill('00'.repeat(48));
  await form.getByRole('button', { name: 'Bring it' }).click();
  await expect(form.getByRole('alert')).toHaveText('This signature is not valid for the round.');
  await site.comeBack();
  const answer = await askHost(site, drawing.beacon.round);
  const { signature } = (await answer.json()) as { signature: string };
  await form.getByLabel('Signature').fill(signature);
  await form.getByRole('button', { name: 'Bring it' }).dblclick();
  await expect(part(page, 'Drawn entry').locator('.figure')).toHaveText(/^\d+$/);
  await expect(part(page, 'Void at first, and drawn after all')).toBeVisible();

  await page.getByRole('button', { name: /^Check (it yourself|again)$/ }).click();
  await expect(page.locator('.verdict')).not.toContainText('failed');
  await expect(page.locator('.checks [data-state=bad]')).toHaveCount(0);
  await verified(page, site, drawing.id);

  const [withdrawn] = await site.query(`
    SELECT status, drawing_voids.reason FROM drawings JOIN drawing_voids ON drawing_id = id
    WHERE id = ${next.id}`);
  expect(withdrawn).toEqual({
    status: 'void',
    reason: `withdrawn: drawing ${drawing.id} was drawn after all`,
  });
});

/** The program and the script call the proof good, and the program the log. */
async function verified(page: Page, { folder, chainFile }: Site, id: number) {
  const files: string[] = [];
  for (const [name, path] of [
    ['proof.json', `/api/drawings/${id}/proof`],
    ['entrants.csv', `/api/drawings/${id}/entrants`],
    ['log.jsonl', '/api/drawings/log?after=0'],
  ] as const) {
    const file = join(folder, name);
    await writeFile(file, await (await page.request.get(path)).body());
    files.push(file);
  }
  const [proof, entrants, log] = files as [string, string, string];
  const evidence = [proof, '--entrants', entrants, '--chain', chainFile];
  const { stdout } = await run(tombola, ['drawing', 'verify', ...evidence]);
  expect(stdout).toContain(`Drawing ${id} of garden-bag is valid`);
  const script = await run('python3', ['../scripts/drawing/verify_drawing.py', ...evidence]);
  expect(script.stdout).not.toContain('FAILED');
  const env = { ...process.env, DATABASE_URL: undefined };
  const copy = await run(tombola, ['drawing', 'verify-log', log, '--proof', proof], { env });
  expect(copy.stdout).toContain(`Drawing ${id}: its proof fits the copy`);
}
