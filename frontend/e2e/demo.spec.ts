import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { violationsInBothSchemes } from './axe';
import { query } from './database';
import { freePort, freshDatabase, onThisDatabase, staff, tombola } from './server';
import { openConsole } from './staff';
import { cards } from './stripeStandIn';
import {
  alive,
  expect,
  layoutShift,
  newPhone,
  openPaths,
  phoneField,
  submitButton,
  successPaths,
  test as base,
  tile,
  toast,
} from './test';

const built = dirname(resolve(tombola));

/** `make demo`, with programs from this folder, on a database of its own. */
async function startDemo(programs = built, port?: number) {
  const { databaseUrl, drop } = await freshDatabase();
  const address = `127.0.0.1:${port ?? (await freePort())}`;
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn('node', [resolve('../scripts/demo.mjs'), programs], {
    env: {
      ...{ PATH, HOME, TMPDIR, ...onThisDatabase(databaseUrl), BIND_ADDR: address },
      PUBLIC_ORIGIN: `http://${address}`,
      CLIENT_DIR: resolve('dist'),
      ADMIN_USERNAME: staff.username,
      ADMIN_PASSWORD: staff.password,
      RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const isReady = new Promise<void>((ready) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        said.push(line);
        if (line.includes('is ready')) ready();
      });
    }
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const startedOrEnded = Promise.race([isReady, ended]);
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    child.kill(signal);
    const code = await ended;
    await drop();
    return code;
  };
  return { origin: `http://${address}`, databaseUrl, said, ended, startedOrEnded, stop };
}

type Demo = Awaited<ReturnType<typeof startDemo>>;

const test = base.extend<object, { demo: Demo }>({
  demo: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from it which fixtures are needed
    async ({}, use) => {
      const demo = await startDemo();
      await demo.startedOrEnded;
      expect(demo.said.join('\n')).toContain('is ready');
      await use(demo);
      expect(await demo.stop()).toBe(0);
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: [({ demo }, use) => use(demo.origin), { scope: 'test' }],
});

const oneOfEachKind = ['/garden-bag', '/terms', '/drawings', '/success/1', '/admin'];
const banner = (page: Page) => page.getByRole('complementary', { name: 'Demo' });
const sentence =
  'This is a demo. Nothing here is real: no card is charged, no text is sent and nothing can be won. Codes arrive here.';
const fields = (page: Page) => page.frameLocator('iframe[title="Secure payment input frame"]');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Complete Your Purchase' });

async function payWith(page: Page, card: string) {
  await fields(page).getByRole('button', { name: card }).click();
  await expect(fields(page).getByLabel('Card number')).toHaveValue(card);
  await dialog(page).getByRole('button', { name: 'Complete Payment' }).click();
}

async function open(page: Page, entries: number) {
  await page.getByRole('button', { name: `Buy ${entries} entries` }).click();
  await expect(fields(page).getByLabel('Card number')).toBeVisible();
}

test('every page says that it is a demo, and nothing moves', async ({ page }) => {
  test.setTimeout(240_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of [...openPaths, ...successPaths('1'), '/admin']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await alive(page);
    await expect(banner(page), path).toHaveText(sentence);
    await expect(banner(page), path).toBeInViewport({ ratio: 1 });
    const height = await banner(page).evaluate((element) => element.clientHeight);
    expect(height, path).toBeLessThanOrEqual(80); // styled, and in nobody's way
    expect(await layoutShift(page), path).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
    // The pages themselves are other tests' matter: one of each kind shows how the banner goes with it.
    if (oneOfEachKind.includes(path)) expect(await violationsInBothSchemes(page), path).toEqual([]);
  }
});

/** The texts that have arrived in the demo's inbox, oldest first: those to a number, or all of them. */
async function texts(demo: Demo, to = '') {
  const inbox = /arrive at (http:\S+)\/inbox/.exec(demo.said.join('\n'))?.[1];
  const filter = to && `?to=${encodeURIComponent(to)}`;
  const answer = await fetch(`${inbox}/control/messages${filter}`);
  const { messages } = (await answer.json()) as { messages: { body: string }[] };
  return messages.map(({ body }) => body);
}

/** Enters with the code that arrives in the demo's inbox. */
async function enterWithCode(page: Page, demo: Demo, path: string) {
  const phone = newPhone();
  await page.goto(path);
  await phoneField(page).fill(phone);
  await submitButton(page).click();
  const newest = async () => {
    const bodies = await texts(demo, `+1${phone.replace(/\D/g, '')}`);
    return bodies.map((body) => /^@\S+ #(\d{6})$/m.exec(body)?.[1]).at(-1);
  };
  await expect.poll(newest, { timeout: 30_000 }).toBeDefined();
  await page.getByLabel('6-digit code').fill((await newest()) ?? '');
  await page.waitForURL(/\/success\/\d+$/);
}

test('all there is to buying can be tried, and nobody outside is asked', async ({ page, demo }) => {
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).hostname));
  await enterWithCode(page, demo, '/fresh-sips');
  await open(page, 50);
  await payWith(page, cards.declined);
  await expect(dialog(page).getByRole('alert')).toContainText('Your card was declined.');
  await payWith(page, cards.asked);
  const bank = page.frameLocator('iframe[title="Your bank asks"]');
  await bank.getByRole('button', { name: 'Yes, pay' }).click();
  await expect(toast(page)).toContainText('50 additional entries');
  await expect(tile(page, 'Total Entries')).toHaveText('51');
  await open(page, 10);
  await payWith(page, cards.redirected);
  await expect(toast(page)).toContainText('10 additional entries');
  await open(page, 10);
  await payWith(page, cards.good);
  await expect(tile(page, 'Total Entries')).toHaveText('71');
  await page.getByRole('link', { name: 'Your entry and your data' }).click();
  const bought = page.getByRole('region', { name: 'What you bought' });
  await expect(bought.getByRole('listitem')).toHaveText([
    /^10 entries/,
    /^10 entries/,
    /^50 entries/,
  ]);
  await bought.getByRole('button', { name: 'Receipt' }).last().click();
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible();
  expect([...asked]).toEqual([new URL(demo.origin).hostname]);
});

test('what was sold is what the rows of purchases and refunds say', async ({ page, demo }) => {
  const sold = `
    SELECT count(*)::int AS purchases, coalesce(sum(amount), 0)::int AS gross, coalesce(sum(CASE
      WHEN status IN ('refunding', 'refunded') THEN amount
      ELSE coalesce((SELECT max(refunded) FROM payment_reversals AS back
                     WHERE back.stripe_payment_intent_id = purchases.stripe_payment_intent_id AND refund IS NULL), 0)
    END), 0)::int AS returned
    FROM purchases WHERE completed_at IS NOT NULL`;
  const money = (cents: number) =>
    (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
  await openConsole(page, '?section=sales');
  const figures = page.getByRole('group', { name: 'Sales' });
  await expect(figures.getByText('after refunds')).toBeVisible();
  const [all] = await query<{ purchases: number; gross: number; returned: number }>(
    sold,
    [],
    demo.databaseUrl,
  );
  const { purchases, gross, returned } = all!;
  expect(purchases).toBeGreaterThan(0);
  await expect(figures).toContainText(
    `Revenue${money(gross - returned)}after refundsSold${money(gross)}Sent back${money(returned)}Purchases${purchases}`,
  );
  await expect(page.getByRole('table', { name: /^Purchases, with/ })).toBeVisible();
  expect(await violationsInBothSchemes(page)).toEqual([]);
});

test('the drum turns until the beacon comes, and the drawing can be checked', async ({ page }) => {
  await openConsole(page, '?section=drawing');
  await page.getByLabel('Raffle', { exact: true }).selectOption('kitchen-garden');
  await page.locator('.draw').getByRole('button', { name: 'Draw Winner' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Draw Winner' }).click();
  await expect(page.getByRole('region', { name: 'Drawing in progress' })).toContainText(
    'The list is sealed.',
  );
  const result = page.getByRole('region', { name: 'Result of the drawing' });
  await expect(result).toContainText('Winner of Kitchen Garden', { timeout: 60_000 });
  await expect(toast(page)).toContainText('Drawing Complete!');
  const proof = await result.getByRole('link', { name: /See the proof/ }).getAttribute('href');
  await page.goto(proof ?? '');
  await page.getByRole('button', { name: /^Check (it yourself|again)$/ }).click();
  await expect(page.locator('.verdict').first()).toContainText(/checks passed/);
});

test('a raffle that staff have made shows who entered, shared and won', async ({ page, demo }) => {
  await page.goto('/welcome');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Five raffles, free every month',
  );
  await page.getByRole('link', { name: /Summer Picnic Basket/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Win the Summer Picnic Basket');
  await enterWithCode(page, demo, '/summer-picnic');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are in for the picnic!');
  await expect(tile(page, 'Total Entries')).toHaveText('1');

  const linked = async () => {
    const links = (await texts(demo)).map((body) => /\/planter\/r\d+-\w+/.exec(body)?.[0]);
    return links.find((link) => link);
  };
  await expect.poll(linked, { timeout: 60_000 }).toBeDefined();
  await page.goto((await linked()) ?? '');
  await expect(
    page.getByRole('heading', { name: "What's in the Summer Picnic Basket" }),
  ).toBeVisible();

  await page.goto('/drawings');
  await expect(page.locator('main')).toContainText('Summer Picnic Basket');

  await openConsole(page);
  const table = page.getByRole('table', { name: /^Users, referrals and page views/ });
  const cells = table.getByRole('row', { name: /^Summer Picnic Basket/ }).getByRole('cell');
  await expect(cells).toHaveText([/^Users\d\d$/, /^Referrals\d$/, /views\d{3}$/, /%$/]);
});

test('a draft is for staff only, and what has ended leads to the others', async ({ page }) => {
  await openConsole(page, '?section=raffles');
  const card = (name: string) => page.locator('.raffle-card', { hasText: name });
  await expect(page.locator('.raffle-card')).toHaveCount(7);
  await expect(card('Summer Picnic Basket')).toContainText(/Open.*Version 3 takes effect/);
  await expect(card('Winter Evening Box')).toContainText('Draft');
  await expect(card('Dinner Party Set')).toContainText('Closed');
  expect((await page.goto('/winter-evening'))?.status()).toBe(404);

  await page.goto('/dinner-party');
  await expect(page.getByText('This raffle has ended')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Summer Picnic Basket' })).toBeVisible();
  await page.getByRole('link', { name: 'See its drawings' }).click();
  await expect(page.locator('main')).toContainText('Dinner Party Set');
});

test('a second demo at the same address says that one is running', async ({ demo }) => {
  const second = await startDemo(built, Number(new URL(demo.origin).port));
  expect(await second.ended).toBe(1);
  expect(second.said.join('\n')).toMatch(/demo: something listens on .* already, another demo/);
  await second.stop();
  expect((await fetch(`${demo.origin}/readyz`)).status).toBe(200);
});

async function leavesNothing(signal: NodeJS.Signals) {
  const demo = await startDemo();
  await demo.startedOrEnded;
  const page = await fetch(demo.origin);
  const standIn = /frame-src (http:\S+);/.exec(
    page.headers.get('content-security-policy') ?? '',
  )?.[1];
  expect((await fetch(`${standIn}/browser/stripe.js`)).status).toBe(200);
  expect(await demo.stop(signal)).toBe(0);
  for (const address of [demo.origin, standIn ?? '']) {
    await expect(fetch(address), address).rejects.toThrow('fetch failed');
  }
}

test('a signal leaves nothing of it behind', async () => {
  test.setTimeout(240_000);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  await Promise.all(signals.map(leavesNothing));
});

test('without its stand-in there is no demo', async () => {
  const programs = mkdtempSync(join(tmpdir(), 'demo-'));
  for (const name of ['tombola', 'drand-stand-in', 'twilio-stand-in']) {
    symlinkSync(join(built, name), join(programs, name));
  }
  const broken = join(programs, 'stripe-stand-in');
  writeFileSync(broken, '#!/bin/sh\necho http://127.0.0.1:9\nexit 3\n');
  chmodSync(broken, 0o755);
  const demo = await startDemo(programs);
  expect(await demo.ended).toBe(1);
  expect(demo.said.join('\n')).toMatch(/demo: stripe-stand-in exited/);
  await expect(fetch(demo.origin)).rejects.toThrow('fetch failed');
  await demo.stop();
  rmSync(programs, { recursive: true });
});
