// Entering: the throughput compared with PostgreSQL alone, the memory of the server, and its start time.
// Run by scripts/lab/bench/run.sh.
import { openDelay } from './delay.mjs';
import { emptyEntrants, enter } from './load.mjs';
import { enteringScript, signUpScript } from './pgbench-script.mjs';
import { hashedPassword, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, asTimes, atLeast, atMost, bench, circumstances, makeDatabase, median, pgbench, say, table, whole } from './tools.mjs';

const CONNECTIONS = [32, 64];
const ROUNDS = 3;
const STARTS = 10;
const DELAY_MS = 1;
const TARGET = { transaction: 1.0, statement: 0.9, idleMb: 20, loadedMb: 60, startMs: 50 };

const FLOORS = { transaction: enteringScript(), statement: signUpScript() };

/** What pgbench reaches with a script. It connects to `via`; the tables are emptied without the delay. */
function floor(database, script, connections, seconds, via = database) {
  return pgbench(via, script, { clients: connections, seconds, variables: { base: emptyEntrants(database), n: 0 } });
}

/** Takes turns, so that other load on the machine affects all alike. */
async function compare(database, server, connections, via) {
  await enter(database, server, connections, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const transaction = floor(database, FLOORS.transaction, connections, SECONDS, via);
    const product = await enter(database, server, connections, SECONDS);
    const statement = floor(database, FLOORS.statement, connections, SECONDS, via);
    rounds.push({ transaction, statement, ...product });
    say(`${connections} connections, round ${round}: transaction ${whole(transaction)}/s, statement ${whole(statement)}/s, tombola ${whole(product.rate)}/s`);
  }
  const of = (figure) => median(rounds.map(figure));
  return {
    connections,
    transaction: of((round) => round.transaction),
    statement: of((round) => round.statement),
    product: of((round) => round.rate),
    toTransaction: of((round) => round.rate / round.transaction),
    toStatement: of((round) => round.rate / round.statement),
    p50: of((round) => round.p50),
    p99: of((round) => round.p99),
  };
}

async function startTimes(database) {
  const times = [];
  for (let n = 0; n < STARTS; n += 1) {
    const server = await startServer(database, hashedPassword());
    times.push(server.startMs);
    await server.stop();
  }
  return times;
}

/** The same with a network that takes `DELAY_MS` for each round trip to the database. */
async function compareWithDelay(database) {
  const way = await openDelay(database.url, DELAY_MS);
  const server = await startServer(database, { ...hashedPassword(), DATABASE_URL: way.url(process.env.DATABASE_URL, database.url) });
  try {
    const via = { url: way.url(database.url, database.url) };
    const comparisons = [];
    for (const connections of CONNECTIONS) comparisons.push(await compare(database, server, connections, via));
    return { comparisons, means: way.means };
  } finally {
    await server.stop();
    await way.close();
  }
}

const HEADS = ['connections', 'pgbench, transaction', 'pgbench, statement', 'tombola', 'p50', 'p99'];
const row = (c) => [c.connections, whole(c.transaction), whole(c.statement), whole(c.product), asMs(c.p50), asMs(c.p99)];
const ratios = (comparisons, where) => comparisons.flatMap((c) => [
  atLeast(`of the transaction, ${c.connections} connections${where}`, c.toTransaction, TARGET.transaction, asTimes),
  atLeast(`of the same statement, ${c.connections} connections${where}`, c.toStatement, TARGET.statement, asTimes),
]);

function report(database, { comparisons, delayed, idle, loaded, starts }) {
  return [
    '## Entering',
    '',
    circumstances('entering', database),
    `New entrants a second, median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round; everything runs on the one machine.`,
    '',
    table(HEADS, comparisons.map(row)),
    `With ${DELAY_MS} ms more for each round trip to the database (${delayed.means}):`,
    '',
    table(HEADS, delayed.comparisons.map(row)),
    table(
      ['figure', 'measured', 'target', ''],
      [
        ...ratios(comparisons, ''),
        ...ratios(delayed.comparisons, `, ${DELAY_MS} ms`),
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
  const server = await startServer(database, hashedPassword());
  const measured = { starts, idle: server.memory(), comparisons: [] };
  try {
    for (const connections of CONNECTIONS) measured.comparisons.push(await compare(database, server, connections));
    measured.loaded = server.memory();
  } finally {
    await server.stop();
  }
  measured.delayed = await compareWithDelay(database);
  console.log(report(database, measured));
  database.drop();
});
