// Holds the built client to its weight. Sizes are what travels: brotli, in bytes (1 kB is 1000 of them).
// Pages are measured at quality 5, as the server compresses them per answer; files as they lie in dist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { distDir } from './paths.mjs';

const limits = {
  html: 14_000,
  beforeTouch: 5_000,
  boot: 3_000,
  /** Success pages write their figures with it, in the place of React, which they loaded at once before. */
  'success boot': 4_000,
  'sign-up hydration': 90_000,
  hydration: 100_000,
  ads: 3_000,
  font: 20_000,
  admin: 130_000,
  /** What is sold on a success page, and the form in which it is paid. Only they load them, when asked. */
  purchase: 4_000,
  'purchase-dialog': 10_000,
  /** The signatures of the beacon. Only a check of a drawing loads it. */
  beacon: 30_000,
  /** The step for the code of a sign-up. Only a sign-up that needs one loads it. */
  'code-step': 4_000,
  /** The service worker. Only a browser that is to show messages loads it. */
  'push-worker': 500,
};
const forbidden = /admin|chart|stripe/i;
/** What the console loads until somebody has signed in and the first screen is there, toasts included. */
const adminFirstRoute = /^admin(-toaster)?\.\w+\.js$/;

const { pages, notFound, scenes } = JSON.parse(readFileSync(join(distDir, 'pages.json'), 'utf8'));
/** The server puts a scene into a page: here it is the largest one. */
const largest = Object.values(scenes)
  .map(({ svg }) => svg)
  .sort((one, other) => other.length - one.length)[0];
const failures = [];
let checks = 0;

const isAdmin = ({ route }) => route === '/admin' || route === '/admin/setup';

for (const page of [...pages, notFound].filter((each) => !isAdmin(each))) {
  const html = readFileSync(join(distDir, page.file), 'utf8').replaceAll(
    '{{ raffle.scene }}',
    largest,
  );
  const boot = html.match(/<script>(.*?)<\/script>/s)?.[1] ?? '';
  const deferred = [...html.matchAll(/<script defer src="([^"]*)"/g)].map(([, file]) => file);
  const scripts = html.match(/data-scripts="([^"]*)"/)?.[1]?.split(' ') ?? [];
  // Pages that consist of what React fetches ask for their files at once; elsewhere only the inline script and tracking run
  // untouched.
  const hydrate = html.match(/data-hydrate="([^"]*)"/)?.[1];
  const weight = (files) => files.reduce((total, file) => total + compressedFile(file), 0);
  const beforeTouch = brotli(boot, 5) + weight(deferred);
  hold(`${page.file} HTML with CSS`, brotli(html, 5), limits.html);
  const bootLimit = hydrate === 'when-idle' ? limits['success boot'] : limits.boot;
  hold(`${page.file} inline script, uncompressed`, Buffer.byteLength(boot), bootLimit);
  if (hydrate !== 'now')
    hold(`${page.file} script before the first touch`, beforeTouch, limits.beforeTouch);
  const hydration = hydrate === 'on-touch' ? 'sign-up hydration' : 'hydration';
  if (scripts.length) hold(`${page.file} ${hydration}`, weight(scripts), limits[hydration]);
}

const files = readdirSync(join(distDir, 'assets'));
for (const file of files.filter((name) => name.endsWith('.woff2'))) {
  hold(file, readFileSync(join(distDir, 'assets', file)).length, limits.font);
}
for (const file of files.filter((name) => /^(ads|pixel)\.\w+\.js$/.test(name))) {
  hold(file, compressedFile(`/assets/${file}`), limits.ads);
}
for (const file of files.filter((name) =>
  /^(beacon|code-step|purchase(-dialog)?)\.\w+\.js$/.test(name),
)) {
  hold(file, compressedFile(`/assets/${file}`), limits[file.split('.')[0]]);
}
hold('push-worker.js', compressedFile('/push-worker.js'), limits['push-worker']);
const firstRoute = files.filter((file) => adminFirstRoute.test(file));
hold(
  'the console’s first route',
  firstRoute.reduce((total, file) => total + compressedFile(`/assets/${file}`), 0),
  limits.admin,
);
// The console is built apart and its files say so: no page of visitors may name or load one.
const isAdminFile = (file) => file.startsWith('admin');
for (const file of files.filter((name) => !isAdminFile(name))) {
  checks += 1;
  if (forbidden.test(file)) failures.push(`${file} does not belong on public pages`);
}
for (const page of [...pages, notFound]) {
  checks += 1;
  const html = readFileSync(join(distDir, page.file), 'utf8');
  const others = [...html.matchAll(/\/assets\/([\w.-]+)/g)].filter(
    ([, file]) => isAdminFile(file) !== isAdmin(page),
  );
  if (others.length) failures.push(`${page.file} names ${others[0][0]}`);
  checks += 1;
  if (html.includes('/assets/purchase')) failures.push(`${page.file} names a file of buying`);
}

for (const failure of failures) console.error(`gate failed: ${failure}`);
console.log(`gates: ${checks - failures.length} of ${checks} passed`);
process.exitCode = failures.length ? 1 : 0;

function hold(what, bytes, limit) {
  checks += 1;
  console.log(`${String(bytes).padStart(7)} of ${limit}  ${what}`);
  if (bytes > limit) failures.push(`${what} weighs ${bytes} bytes, at most ${limit} are allowed`);
}

function brotli(text, quality) {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length;
}

function compressedFile(address) {
  return readFileSync(join(distDir, `${address}.br`)).length;
}
