// Replicas: the response times of entering through one server, alone and beside three idle servers on the same database.
// Each of them probes the database, renews its leases and looks for work. Run by scripts/lab/bench/run.sh.
import { emptyEntrants } from './load.mjs';
import { startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, asTimes, atMost, bench, circumstances, makeDatabase, median, say, table, whole, wrkWithoutErrors } from './tools.mjs';

const ROUNDS = 5;
const IDLE = 3;
const ENTRANTS = { connections: 16, pause: 80 };    // about 200 a second
const TARGET = 1.3;

async function enter(database, server, seconds) {
  const args = [emptyEntrants(database), ENTRANTS.pause];
  const result = await wrkWithoutErrors(`${server.url}/api/users/register`, 'entering.lua', { connections: ENTRANTS.connections, seconds, args });
  const stored = database.number('SELECT count(*) FROM users');
  if (stored < result.answered) throw new Error(`only ${stored} entrants were stored for ${result.answered} answers`);
  return result;
}

async function besideIdle(database, server) {
  const idle = await Promise.all(Array.from({ length: IDLE }, () => startServer(database)));
  try {
    await enter(database, server, WARM_UP_SECONDS);
    return await enter(database, server, SECONDS);
  } finally {
    await Promise.all(idle.map((each) => each.stop()));
  }
}

async function alone(database, server) {
  await enter(database, server, WARM_UP_SECONDS);
  return await enter(database, server, SECONDS);
}

/** Alternates which one goes first, so that neither profits from its place in the round. */
async function compare(database, server) {
  const measures = { alone, besideIdle };
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const result = {};
    const order = round % 2 ? ['alone', 'besideIdle'] : ['besideIdle', 'alone'];
    for (const which of order) result[which] = await measures[which](database, server);
    rounds.push(result);
    say(`round ${round}: p99 alone ${asMs(result.alone.p99)}, beside ${IDLE} idle servers ${asMs(result.besideIdle.p99)}`);
  }
  return rounds;
}

function print(database, rounds) {
  const of = (which, figure) => median(rounds.map((round) => round[which][figure]));
  const row = (what, which) => [what, whole(of(which, 'rate')), asMs(of(which, 'p50')), asMs(of(which, 'p99'))];
  const ratio = median(rounds.map((round) => round.besideIdle.p99 / round.alone.p99));
  return [
    '## Replicas',
    '',
    circumstances('replicas', database),
    `Entering through one server over ${ENTRANTS.connections} connections, each ${ENTRANTS.pause} ms after its last answer, alone and beside ${IDLE} idle servers on the same database; median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round. Everything runs on the one machine.`,
    '',
    table(['', 'entrants/s', 'p50', 'p99'], [row('one server', 'alone'), row(`beside ${IDLE} idle servers`, 'besideIdle')]),
    table(['figure', 'measured', 'target', ''], [atMost('p99 beside idle servers, of p99 alone', ratio, TARGET, asTimes)]),
  ].join('\n');
}

await bench(async () => {
  const database = makeDatabase('replicas');
  const server = await startServer(database);
  try {
    console.log(print(database, await compare(database, server)));
  } finally {
    await server.stop();
  }
  database.drop();
});
