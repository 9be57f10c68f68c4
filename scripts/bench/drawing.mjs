// Drawings: the time compared with only reading and hashing the entrants, how it grows with their number, how drawings slow
// down entering, and the time to verify a drawing. Run by scripts/bench/run.sh.
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { seedRaffle } from './seed.mjs';
import { TOMBOLA, call, signIn, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, asTimes, atMost, bench, circumstances, makeDatabase, median, run, say, table, timed, whole, wrkWithoutErrors } from './tools.mjs';

const LARGE = Number(process.env.BENCH_ENTRANTS ?? 10_000_000);
const SMALL = LARGE / 10;
const ROUNDS = 5;
const VISITORS = { connections: 16, pause: 80 };          // about 200 new entrants per second
const RAFFLE = 'garden-bag';
const WHO_IS_IN = `SELECT id, total_entries FROM users WHERE landing_page = '${RAFFLE}' AND NOT is_flagged AND total_entries > 0 ORDER BY id`;
const HASHERS = ['openssl dgst -sha256', 'sha256sum'];
const TARGET = { ratio: 1.6, growth: 11, memoryMb: 64, p99: 1.5, verifyMs: 2000 };

const asSeconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

/** The time to read the same rows from the same database and to compute the SHA-256 of their text. */
const floor = ({ url }, hasher) =>
  timed(() => run('bash', ['-o', 'pipefail', '-c', `psql -XqAt -v ON_ERROR_STOP=1 -c "$1" "$2" | ${hasher}`, 'bash', `COPY (${WHO_IS_IN}) TO STDOUT`, url]));

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

/** Alternates between both, each right after a checkpoint. */
async function compare(database, server, token, hasher) {
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    database.sql('CHECKPOINT');
    const floorMs = await floor(database, hasher);
    database.sql('CHECKPOINT');
    const { ms, drawing, growth } = await draw(server, token);
    rounds.push({ floor: floorMs, drawing: ms, ratio: ms / floorMs, growth });
    say(`${whole(drawing.totalParticipants)} entrants, round ${round}: reading and hashing ${asSeconds(floorMs)}, drawing ${asSeconds(ms)}, memory +${asMb(growth)}`);
  }
  return rounds;
}

let phone = 3_000_000_000;                      // the first phone number of the next entrants

function enter(server, seconds) {
  phone += 10_000_000;
  return wrkWithoutErrors(`${server.url}/api/users/register`, 'entering.lua', { connections: VISITORS.connections, seconds, threads: 1, args: [phone, VISITORS.pause] });
}

/** Performs drawings until all entrants have been answered, so that all of them enter during a drawing. */
async function enterDuringDrawings(server, token, seconds) {
  let entered = false;
  const entering = enter(server, seconds).finally(() => (entered = true));
  let drawings = 0;
  for (; !entered; drawings += 1) await perform(server, token);
  return { ...(await entering), drawings };
}

async function compareEntering(database, server, token) {
  await enter(server, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    database.sql('CHECKPOINT');
    const alone = await enter(server, SECONDS);
    database.sql('CHECKPOINT');
    const during = await enterDuringDrawings(server, token, SECONDS);
    rounds.push({ alone, during, ratio: during.p99 / alone.p99 });
    say(`round ${round}: entering has p99 ${asMs(alone.p99)}, and ${asMs(during.p99)} during ${during.drawings} drawings`);
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
    return { downloaded, verified: median(verifying), independent };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `more` measures something else with the same entrants. */
async function measure(entrants, more) {
  const database = makeDatabase('drawing');
  say(`inserting ${whole(entrants)} entrants`);
  seedRaffle(database, { entrants });
  const expected = database.number(`SELECT count(*) FROM (${WHO_IS_IN}) AS who`);
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
  const row = (size) => [whole(size.entrants), asSeconds(of(size, 'floor')), asSeconds(of(size, 'drawing')), asTimes(of(size, 'ratio'))];
  const visitors = (what, who) => [what, whole(entering(who, 'rate')), asMs(entering(who, 'p50')), asMs(entering(who, 'p99'))];
  const { downloaded, verified, independent } = small.more;
  return [
    '## Drawing',
    '',
    large.circumstances,
    `\`POST /api/admin/drawing/perform\` against \`COPY (the same SELECT) TO STDOUT\` by psql into \`${large.hasher}\` (the faster one here of ${HASHERS.map((hasher) => `\`${hasher}\``).join(' and ')}), median of ${ROUNDS} alternating rounds, the ratio round by round. Entering: ${VISITORS.connections} connections, each ${VISITORS.pause} ms on average after its last answer, ${SECONDS} s alone and ${SECONDS} s while one drawing of ${whole(large.entrants)} follows the other, median of ${ROUNDS} rounds. Everything runs on the one machine.`,
    '',
    table(['entrants', 'read and hashed', 'drawn', 'ratio'], [row(small), row(large)]),
    table(['', 'entrants/s', 'p50', 'p99'], [visitors('entering alone', 'alone'), visitors('entering during drawings', 'during')]),
    table(
      ['figure', 'measured', 'target', ''],
      [
        ...[small, large].map((size) => atMost(`drawing ${whole(size.entrants)} entrants, of reading and hashing them`, of(size, 'ratio'), TARGET.ratio, asTimes)),
        atMost(`drawing ${whole(large.entrants)} entrants, of drawing ${whole(small.entrants)}`, of(large, 'drawing') / of(small, 'drawing'), TARGET.growth, asTimes),
        atMost('memory during a drawing, growth', Math.max(...large.rounds.map((round) => round.growth)), TARGET.memoryMb, asMb),
        atMost('p99 of entering during drawings, of alone', median(large.more.map((round) => round.ratio)), TARGET.p99, asTimes),
        atMost(`\`tombola drawing verify\`, ${whole(small.entrants)} entrants`, verified, TARGET.verifyMs, asMs),
        [`\`scripts/verify_drawing.py\`, ${whole(small.entrants)} entrants`, asMs(independent), '', ''],
        [`downloading the list of ${whole(small.entrants)}`, asMs(downloaded), '', ''],
      ],
    ),
  ].join('\n');
}

await bench(async () => {
  const small = await measure(SMALL, (database, server, token) => check(server, token));
  const large = await measure(LARGE, compareEntering);
  console.log(report(small, large));
});
