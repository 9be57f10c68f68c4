/**
 * Takes the screenshots of docs/raffles.md from a server with demo data, and writes them to docs/images.
 *
 *   node frontend/scripts/screenshots.mjs target/debug        (run by `make screenshots`, which gives it a database)
 *
 * Run it after changing a screen that they show, look at them, and commit those that have changed.
 * CHROMIUM_PATH names the browser.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium, request } from '@playwright/test';
import { freePorts, stop } from '../../scripts/processes.mjs';

const [programs = 'target/debug'] = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const images = `${root}/docs/images`;
/** A member of staff of the demo who may change raffles. */
const staff = { username: 'maria', password: 'tombola demo staff' };
/** Wide enough for the form beside its preview. */
const viewport = { width: 1180, height: 860 };
/** How much is shown around an element, in pixels. */
const AROUND = 12;
/** Of WebP, from 0 to 100: all images together stay below 600 kB. */
const QUALITY = 80;

const [port] = await freePorts(1);
const origin = `http://127.0.0.1:${port}`;
const demo = spawn(process.execPath, [`${root}/scripts/demo.mjs`, resolve(programs)], {
  env: {
    ...process.env,
    BIND_ADDR: `127.0.0.1:${port}`,
    PUBLIC_ORIGIN: origin,
    CLIENT_DIR: `${root}/frontend/dist`,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: ['--no-sandbox'],
});
try {
  await isReady();
  await mkdir(images, { recursive: true });
  await takeAll(await signedIn());
} finally {
  await browser.close();
  await stop(demo);
}

/** Waits until the demo says that it is. */
async function isReady() {
  const ended = once(demo, 'exit').then(([code]) => {
    throw new Error(`the demo exited with ${code}`);
  });
  ended.catch(() => undefined); // it ends after all, later
  const said = new Promise((ready) => {
    createInterface(demo.stdout).on('line', (line) => line.includes('is ready') && ready());
  });
  await Promise.race([said, ended]);
}

async function takeAll(page) {
  await page.goto(`${origin}/summer-picnic`);
  await take(page, 'raffle-page', [page.locator('main')], { most: 640 });

  await page.goto(`${origin}/admin?section=raffles`);
  await page.locator('.raffle-card').nth(6).waitFor();
  await take(page, 'raffle-list', [page.locator('.screen-head'), page.locator('.raffle-cards')]);

  await openEditor(page, 'winter-evening');
  await take(page, 'raffle-missing', [page.locator('section', { hasText: 'Missing before' })]);

  await openEditor(page, 'summer-picnic');
  const way = page.getByRole('link', { name: 'Back to all raffles' });
  await take(page, 'raffle-form', [way, page.locator('.raffle-editor')], { most: 900 });

  const versions = page.locator('section', { has: page.getByText('Version 3', { exact: true }) });
  await take(page, 'raffle-versions', [versions]);

  await page.getByLabel("The prize's name").fill('Autumn Picnic Basket');
  await page.getByRole('button', { name: 'Publish...' }).click();
  await take(page, 'raffle-publish', [page.getByRole('alertdialog')]);
}

/** A page of a browser in which staff have signed in. */
async function signedIn() {
  const calls = await request.newContext({ baseURL: origin });
  const answer = await calls.post('/api/admin/login', { data: staff });
  const { sessionToken } = await answer.json();
  await calls.dispose();
  const localStorage = [{ name: 'adminSessionToken', value: sessionToken }];
  return browser.newPage({
    viewport,
    reducedMotion: 'reduce',
    colorScheme: 'light',
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
}

/** Opens a raffle, and waits for its preview. */
async function openEditor(page, raffle) {
  await page.goto(`${origin}/admin?section=raffles&view=${raffle}`);
  const preview = page.frameLocator('iframe[title^="Sign-up page"]');
  await preview.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** Takes a picture of elements with a little of what is around them; `most`: of the upper part, in pixels. */
async function take(page, name, elements, { most = Infinity } = {}) {
  const boxes = await Promise.all(elements.map((element) => element.boundingBox()));
  const left = Math.min(...boxes.map(({ x }) => x)) - AROUND;
  const top = Math.min(...boxes.map(({ y }) => y)) - AROUND;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + AROUND;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + AROUND;
  const scrolled = await page.evaluate('scrollY');
  const clip = {
    x: left,
    y: top + scrolled,
    width: right - left,
    height: Math.min(bottom - top, most),
    scale: 1,
  };
  // Playwright itself makes no WebP.
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: true,
    clip,
  });
  await devtools.detach();
  await writeFile(`${images}/${name}.webp`, Buffer.from(data, 'base64'));
  console.log(`docs/images/${name}.webp`);
}
