// Drawings: the time compared with only reading and hashing the entrants, how it grows with their number, how seals slow down
// entering, and the time to verify a drawing, in Chromium too. Run by scripts/lab/bench/run.sh.
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { seedRaffle } from './seed.mjs';
import { TOMBOLA, call, signIn, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, asTimes, atMost, bench, circumstances, makeDatabase, median, run, say, table, timed, whole, wrkWithoutErrors } from './tools.mjs';

const { chromium } = createRequire(new URL('../../../frontend/package.json', import.meta.url))('@playwright/test');

const LARGE = Number(process.env.BENCH_ENTRANTS ?? 10_000_000);
const SMALL = LARGE / 10;
const ROUNDS = 5;
const VISITORS = { connections: 16, pause: 80 };          // about 200 new entrants per second
const RAFFLE = 'garden-bag';
const selectEntrants = (columns) => `SELECT ${columns} FROM users WHERE landing_page = '${RAFFLE}' AND NOT is_flagged AND total_entries > 0 ORDER BY id`;
const ENTRANTS = selectEntrants('id, total_entries - held_entries, person_tag');
const ENTRANTS_OF_VERSION_1 = selectEntrants('id, total_entries');
/** Seals as in production, with pauses: the round comes in an hour, so nothing is drawn while this runs. */
const WITH_BEACON = { DRAWING_BEACON: 'quicknet', DRAWING_DELAY: '3600' };
const HASHERS = ['openssl dgst -sha256', 'sha256sum'];
const TARGET = { ratio: 1.6, growth: 11, memoryMb: 64, p99: 1.5, verifyMs: 2000 };

const asSeconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

/** The time to read rows from the same database and to compute the SHA-256 of their text. */
const floor = ({ url }, hasher, select = ENTRANTS) =>
  timed(() => run('bash', ['-o', 'pipefail', '-c', `psql -XqAt -v ON_ERROR_STOP=1 -c "$1" "$2" | ${hasher}`, 'bash', `COPY (${select}) TO STDOUT`, url]));

/** The hash program that is faster on this machine. */
async function fasterHasher(database) {
  const times = {};
  for (const hasher of HASHERS) times[hasher] = median([await floor(database, hasher), await floor(database, hasher), await floor(database, hasher)]);
  return HASHERS.toSorted((a, b) => times[a] - times[b])[0];
}

const perform = (server, token) =>
  call(server, '/api/admin/drawing/perform', { token, body: { landingPage: RAFFLE }, headers: { 'Idempotency-Key': randomUUID() } });

/** Performs one drawing; returns its duration, its result, and the growth of the server's memory. */
async function draw(server, token) {
  const before = server.memory().resident;
  server.forgetPeak();
  let drawing;
  const ms = await timed(async () => (drawing = await perform(server, token)));
  return { ms, drawing, growth: server.memory().peak - before };
}

/** Waits until the lists of all drawings are stored: the server does that in the background, after each drawing. */
async function publishing({ number }) {
  while (number('SELECT count(*) FROM drawing_seals WHERE drawing_id NOT IN (SELECT drawing_id FROM drawing_lists)') > 0) await delay(500);
}

/** Alternates between both, each right after a checkpoint. */
async function compare(database, server, token, hasher) {
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await publishing(database);
    database.sql('CHECKPOINT');
    const floorMs = await floor(database, hasher);
    const floor1Ms = await floor(database, hasher, ENTRANTS_OF_VERSION_1);
    database.sql('CHECKPOINT');
    const { ms, drawing, growth } = await draw(server, token);
    rounds.push({ floor: floorMs, floor1: floor1Ms, drawing: ms, ratio: ms / floorMs, ratio1: ms / floor1Ms, growth });
    say(`${whole(drawing.totalParticipants)} entrants, round ${round}: reading and hashing ${asSeconds(floorMs)}, without tags ${asSeconds(floor1Ms)}, drawing ${asSeconds(ms)}, memory +${asMb(growth)}`);
  }
  return rounds;
}

let phone = 3_000_000_000;                      // the first phone number of the next entrants

function enter(server, seconds) {
  phone += 10_000_000;
  return wrkWithoutErrors(`${server.url}/api/users/register`, 'entering.lua', { connections: VISITORS.connections, seconds, threads: 1, args: [phone, VISITORS.pause] });
}

/** Seals drawings until all entrants have been answered, so that all of them enter during a seal. */
async function enterDuringSeals(server, token, seconds) {
  let entered = false;
  const entering = enter(server, seconds).finally(() => (entered = true));
  let seals = 0;
  for (; !entered; seals += 1) {
    const { status } = await perform(server, token);
    if (status !== 'sealed') throw new Error(`the drawing is ${status}`);
  }
  return { ...(await entering), seals };
}

async function compareEntering(database) {
  const server = await startServer(database, WITH_BEACON);
  try {
    return await enteringRounds(database, server, await signIn(server));
  } finally {
    await server.stop();
  }
}

async function enteringRounds(database, server, token) {
  await enter(server, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await publishing(database);
    database.sql('CHECKPOINT');
    const alone = await enter(server, SECONDS);
    database.sql('CHECKPOINT');
    const during = await enterDuringSeals(server, token, SECONDS);
    rounds.push({ alone, during, ratio: during.p99 / alone.p99 });
    say(`round ${round}: entering has p99 ${asMs(alone.p99)}, and ${asMs(during.p99)} during ${during.seals} seals`);
  }
  const answered = rounds.reduce((sum, { alone, during }) => sum + alone.answered + during.answered, 0);
  const stored = database.number(`SELECT count(*) FROM users WHERE phone_number > '+13'`);
  if (stored < answered) throw new Error(`only ${stored} entrants were stored for ${answered} answers`);
  return rounds;
}

async function download(server, path, file) {
  const response = await fetch(server.url + path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await pipeline(response.body, createWriteStream(file));
}

/** The time from the click on the check button until the verdict is there, with the download of the list. */
async function verifyInBrowser(server, id) {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const times = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${server.url}/drawings/${id}`);
      const button = page.getByRole('button', { name: 'Check it yourself' });
      await button.waitFor();
      times.push(await timed(async () => {
        await button.click();
        await page.locator('.verdict[data-state="ok"]').waitFor({ timeout: 120_000 });
      }));
    }
    return median(times);
  } finally {
    await browser.close();
  }
}

/** Downloads and verifies a drawing as a visitor would. Both programs fail if a check fails. */
async function check(server, token) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const [proof, list] = [join(folder, 'proof.json'), join(folder, 'entrants.csv')];
  try {
    const { id } = await perform(server, token);
    writeFileSync(proof, JSON.stringify(await call(server, `/api/drawings/${id}/proof`)));
    const downloaded = await timed(() => download(server, `/api/drawings/${id}/entrants`, list));
    const verifying = [];
    for (let n = 0; n < ROUNDS; n += 1) verifying.push(await timed(() => run(TOMBOLA, ['drawing', 'verify', proof, '--entrants', list])));
    const independent = await timed(() => run('python3', ['scripts/verify_drawing.py', proof, '--entrants', list]));
    return { downloaded, verified: median(verifying), independent, inBrowser: await verifyInBrowser(server, id) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `more` measures something else with the same entrants. */
async function measure(entrants, more) {
  const database = makeDatabase('drawing');
  say(`inserting ${whole(entrants)} entrants`);
  seedRaffle(database, { entrants });
  const expected = database.number(`SELECT count(*) FROM (${ENTRANTS}) AS who`);
  const hasher = await fasterHasher(database);
  const server = await startServer(database);
  try {
    const token = await signIn(server);
    const { totalParticipants } = await perform(server, token);
    if (totalParticipants !== expected) throw new Error(`${totalParticipants} entrants took part, expected ${expected}`);
    const rounds = await compare(database, server, token, hasher);
    return { entrants: expected, hasher, rounds, circumstances: circumstances('drawing', database), more: await more(database, server, token) };
  } finally {
    await server.stop();
    database.drop();
  }
}

function report(small, large) {
  const of = (size, figure) => median(size.rounds.map((round) => round[figure]));
  const entering = (who, figure) => median(large.more.map((round) => round[who][figure]));
  const row = (size) => [whole(size.entrants), asSeconds(of(size, 'floor')), asSeconds(of(size, 'drawing')), asTimes(of(size, 'ratio')), asSeconds(of(size, 'floor1')), asTimes(of(size, 'ratio1'))];
  const visitors = (what, who) => [what, whole(entering(who, 'rate')), asMs(entering(who, 'p50')), asMs(entering(who, 'p99'))];
  const { downloaded, verified, independent, inBrowser } = small.more;
  return [
    '## Drawing',
    '',
    large.circumstances,
    `\`POST /api/admin/drawing/perform\` against \`COPY (SELECT id, entries, tag) TO STDOUT\` by psql into \`${large.hasher}\` (the faster one here of ${HASHERS.map((hasher) => `\`${hasher}\``).join(' and ')}), and against the same without the tag, which version 1 did not read; median of ${ROUNDS} alternating rounds, the ratio round by round. The beacon is off, so a drawing is announced, sealed and drawn without pauses. Entering: ${VISITORS.connections} connections, each ${VISITORS.pause} ms on average after its last answer, ${SECONDS} s alone and ${SECONDS} s while one seal of ${whole(large.entrants)} follows the other, with the beacon and so with pauses; median of ${ROUNDS} rounds. Everything runs on the one machine.`,
    '',
    table(['entrants', 'read and hashed', 'drawn', 'ratio', 'without tags', 'ratio'], [row(small), row(large)]),
    table(['', 'entrants/s', 'p50', 'p99'], [visitors('entering alone', 'alone'), visitors('entering during seals', 'during')]),
    table(
      ['figure', 'measured', 'target', ''],
      [
        ...[small, large].map((size) => atMost(`drawing ${whole(size.entrants)} entrants, of reading and hashing them`, of(size, 'ratio'), TARGET.ratio, asTimes)),
        atMost(`drawing ${whole(large.entrants)} entrants, of drawing ${whole(small.entrants)}`, of(large, 'drawing') / of(small, 'drawing'), TARGET.growth, asTimes),
        atMost('memory during a drawing, growth', Math.max(...large.rounds.map((round) => round.growth)), TARGET.memoryMb, asMb),
        atMost('p99 of entering during seals, of alone', median(large.more.map((round) => round.ratio)), TARGET.p99, asTimes),
        atMost(`\`tombola drawing verify\`, ${whole(small.entrants)} entrants`, verified, TARGET.verifyMs, asMs),
        [`the check in Chromium with the download, ${whole(small.entrants)} entrants`, asMs(inBrowser), '', ''],
        [`\`scripts/verify_drawing.py\`, ${whole(small.entrants)} entrants`, asMs(independent), '', ''],
        [`downloading the list of ${whole(small.entrants)}`, asMs(downloaded), '', ''],
      ],
    ),
  ].join('\n');
}

await bench(async () => {
  const small = await measure(SMALL, (database, server, token) => check(server, token));
  const large = await measure(LARGE, (database) => compareEntering(database));
  console.log(report(small, large));
});
