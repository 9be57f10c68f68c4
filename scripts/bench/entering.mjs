// Entering: the throughput compared with PostgreSQL alone, the memory of the server, and its start time.
// Run by scripts/bench/run.sh.
import { emptyEntrants, enter } from './load.mjs';
import { enteringScript } from './pgbench-script.mjs';
import { startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, atMost, bench, circumstances, makeDatabase, median, pgbench, say, table, verdict, whole } from './tools.mjs';

const CONNECTIONS = [32, 64];
const ROUNDS = 3;
const STARTS = 10;
const TARGET = { ratio: 0.85, leastRatio: 0.7, idleMb: 20, loadedMb: 60, startMs: 150 };

function floor(database, connections, seconds) {
  const variables = { base: emptyEntrants(database), n: 0 };
  return pgbench(database, enteringScript(), { clients: connections, seconds, variables });
}

/** Alternates between both, so that other load on the machine affects both equally. */
async function compare(database, server, connections) {
  floor(database, connections, WARM_UP_SECONDS);
  await enter(database, server, connections, WARM_UP_SECONDS);
  const floors = [];
  const products = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    floors.push(floor(database, connections, SECONDS));
    products.push(await enter(database, server, connections, SECONDS));
    say(`${connections} connections, round ${round}: pgbench ${whole(floors.at(-1))}/s, tombola ${whole(products.at(-1).rate)}/s`);
  }
  const of = (figure) => median(products.map((result) => result[figure]));
  const ratio = median(products.map(({ rate }, round) => rate / floors[round]));
  return { connections, floor: median(floors), product: of('rate'), ratio, p50: of('p50'), p99: of('p99') };
}

async function startTimes(database) {
  const times = [];
  for (let n = 0; n < STARTS; n += 1) {
    const server = await startServer(database);
    times.push(server.startMs);
    await server.stop();
  }
  return times;
}

const ratioVerdict = (ratio) => (ratio >= TARGET.ratio ? 'met' : ratio >= TARGET.leastRatio ? 'below target' : verdict(false));

function report(database, { comparisons, idle, loaded, starts }) {
  const entering = comparisons.map((c) => [c.connections, whole(c.floor), whole(c.product), c.ratio.toFixed(2), asMs(c.p50), asMs(c.p99), ratioVerdict(c.ratio)]);
  return [
    '## Entering',
    '',
    circumstances('entering', database),
    `New entrants a second, median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round; everything runs on the one machine. Target: ${TARGET.ratio} of pgbench running the same statements, never below ${TARGET.leastRatio}.`,
    '',
    table(['connections', 'pgbench', 'tombola', 'ratio', 'p50', 'p99', ''], entering),
    table(
      ['figure', 'measured', 'target', ''],
      [
        atMost('memory idle, resident', idle.resident, TARGET.idleMb, asMb),
        ['memory idle, proportional', asMb(idle.shared), '', ''],
        atMost('memory under load, peak', loaded.peak, TARGET.loadedMb, asMb),
        atMost(`start to ready, median of ${STARTS}`, median(starts), TARGET.startMs, asMs),
      ],
    ),
  ].join('\n');
}

await bench(async () => {
  const database = makeDatabase('entering');
  const starts = await startTimes(database);
  const server = await startServer(database);
  try {
    const idle = server.memory();
    const comparisons = [];
    for (const connections of CONNECTIONS) comparisons.push(await compare(database, server, connections));
    console.log(report(database, { comparisons, idle, loaded: server.memory(), starts }));
  } finally {
    await server.stop();
  }
  database.drop();
});
