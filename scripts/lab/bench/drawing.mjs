// Drawings: the time compared with only reading and hashing the entrants, how it grows with their number, and how seals slow down
// entering.
import { enterSlowly, perform, published } from './load.mjs';
import { seedRaffle } from './seed.mjs';
import { signIn, withServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, asTimes, atMost, bench, circumstances, makeDatabase, median, run, say, section, table, timed, whole } from './tools.mjs';

const LARGE = Number(process.env.BENCH_ENTRANTS ?? 10_000_000);
const SMALL = LARGE / 10;
const ROUNDS = 5;
const VISITORS = { connections: 16, pause: 80 };          // about 200 new entrants per second
const ENTRANTS = "SELECT id, total_entries - held_entries, person_tag FROM users WHERE landing_page = 'garden-bag' AND NOT is_flagged AND total_entries > 0 ORDER BY person_tag";
/** Seals as in production, with pauses: the round comes in an hour, so nothing is drawn while this runs. */
const WITH_BEACON = { DRAWING_BEACON: 'quicknet', DRAWING_DELAY: '3600' };
const TARGET = { ratio: 1.6, growth: 11, memoryMb: 64, p99: 1.5 };

const asSeconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

/** The time to read rows from the same database and to compute the SHA-256 of their text. */
const floor = ({ url }) =>
  timed(() => run('bash', ['-o', 'pipefail', '-c', 'psql -XqAt -v ON_ERROR_STOP=1 -c "$1" "$2" | openssl dgst -sha256', 'bash', `COPY (${ENTRANTS}) TO STDOUT`, url]));

/** Performs one drawing; returns its duration and the growth of the server's memory. */
async function draw(server, token) {
  const before = server.memory().resident;
  server.forgetPeak();
  const ms = await timed(() => perform(server, token));
  return { ms, growth: server.memory().peak - before };
}

/** Alternates between both, each right after a checkpoint. */
async function compare(database, server, token, entrants) {
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await published(database);
    database.sql('CHECKPOINT');
    const floorMs = await floor(database);
    database.sql('CHECKPOINT');
    const { ms, growth } = await draw(server, token);
    rounds.push({ floor: floorMs, drawing: ms, ratio: ms / floorMs, growth });
    say(`${whole(entrants)} entrants, round ${round}: reading and hashing ${asSeconds(floorMs)}, drawing ${asSeconds(ms)}, memory +${asMb(growth)}`);
  }
  return rounds;
}

/** Seals drawings until all entrants have been answered, so that all of them enter during a seal. */
async function enterDuringSeals(server, token, seconds) {
  let entered = false;
  const entering = enterSlowly(server, VISITORS, seconds).finally(() => (entered = true));
  let seals = 0;
  for (; !entered; seals += 1) {
    const { status } = await perform(server, token);
    if (status !== 'sealed') throw new Error(`the drawing is ${status}`);
  }
  return { ...(await entering), seals };
}

async function enteringRounds(database, server, token) {
  await enterSlowly(server, VISITORS, WARM_UP_SECONDS);
  const before = database.number('SELECT count(*) FROM users');
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await published(database);
    database.sql('CHECKPOINT');
    const alone = await enterSlowly(server, VISITORS, SECONDS);
    database.sql('CHECKPOINT');
    const during = await enterDuringSeals(server, token, SECONDS);
    rounds.push({ alone, during, ratio: during.p99 / alone.p99 });
    say(`round ${round}: entering has p99 ${asMs(alone.p99)}, and ${asMs(during.p99)} during ${during.seals} seals`);
  }
  const answered = rounds.reduce((sum, { alone, during }) => sum + alone.answered + during.answered, 0);
  const stored = database.number('SELECT count(*) FROM users') - before;
  if (stored < answered) throw new Error(`only ${stored} entrants were stored for ${answered} answers`);
  return rounds;
}

async function measure(entrants, isWithEntering) {
  const database = makeDatabase('drawing');
  say(`inserting ${whole(entrants)} entrants`);
  seedRaffle(database, { entrants });
  const expected = database.number(`SELECT count(*) FROM (${ENTRANTS}) AS who`);
  const rounds = await withServer(database, {}, async (server) => {
    const token = await signIn(server);
    const { totalParticipants } = await perform(server, token);
    if (totalParticipants !== expected) throw new Error(`${totalParticipants} entrants took part, expected ${expected}`);
    return compare(database, server, token, expected);
  });
  const entering = isWithEntering ? await withServer(database, WITH_BEACON, async (server) => enteringRounds(database, server, await signIn(server))) : [];
  const result = { entrants: expected, rounds, entering, circumstances: circumstances('drawing', database) };
  database.drop();
  return result;
}

function report(small, large) {
  const of = (size, figure) => median(size.rounds.map((round) => round[figure]));
  const row = (size) => [whole(size.entrants), asSeconds(of(size, 'floor')), asSeconds(of(size, 'drawing')), asTimes(of(size, 'ratio'))];
  const entering = (who, figure) => median(large.entering.map((round) => round[who][figure]));
  const visitors = (what, who) => [what, whole(entering(who, 'rate')), asMs(entering(who, 'p50')), asMs(entering(who, 'p99'))];
  return section(
    'Drawing',
    large.circumstances,
    `\`POST /api/admin/drawing/perform\` against \`COPY (SELECT id, entries, tag) TO STDOUT\` by psql into \`openssl dgst -sha256\`; median of ${ROUNDS} alternating rounds, the ratio round by round. The beacon is off, so a drawing is announced, sealed and drawn without pauses. Entering: ${VISITORS.connections} connections, each ${VISITORS.pause} ms on average after its last answer, ${SECONDS} s alone and ${SECONDS} s while one seal of ${whole(large.entrants)} follows the other, with the beacon and so with pauses; median of ${ROUNDS} rounds. Everything runs on the one machine.`,
    table(['entrants', 'read and hashed', 'drawn', 'ratio'], [row(small), row(large)]),
    table(['', 'entrants/s', 'p50', 'p99'], [visitors('entering alone', 'alone'), visitors('entering during seals', 'during')]),
    table(
      ['figure', 'measured', 'target', ''],
      [
        ...[small, large].map((size) => atMost(`drawing ${whole(size.entrants)} entrants, of reading and hashing them`, of(size, 'ratio'), TARGET.ratio, asTimes)),
        atMost(`drawing ${whole(large.entrants)} entrants, of drawing ${whole(small.entrants)}`, of(large, 'drawing') / of(small, 'drawing'), TARGET.growth, asTimes),
        atMost('memory during a drawing, growth', Math.max(...large.rounds.map((round) => round.growth)), TARGET.memoryMb, asMb),
        atMost('p99 of entering during seals, of alone', median(large.entering.map((round) => round.ratio)), TARGET.p99, asTimes),
      ],
    ),
  );
}

await bench(async () => console.log(report(await measure(SMALL, false), await measure(LARGE, true))));
