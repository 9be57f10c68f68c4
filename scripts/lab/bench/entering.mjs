// Entering without codes: the throughput compared with PostgreSQL alone, the memory of the server, and its start time.
import { emptyEntrants, enter } from './load.mjs';
import { enteringScript } from './pgbench-script.mjs';
import { hashedPassword, startServer, withServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, asTimes, atLeast, atMost, bench, circumstances, inTurn, makeDatabase, median, pgbench, section, table, whole } from './tools.mjs';

const CONNECTIONS = [32, 64];
const ROUNDS = 3;
const STARTS = 10;
const TARGET = { transaction: 0.75, idleMb: 40, loadedMb: 80, startMs: 50 };

const floor = (database, clients) =>
  ({ rate: pgbench(database, enteringScript(), { clients, seconds: SECONDS, variables: { base: emptyEntrants(database), n: 0 } }) });

async function compare(database, server, connections) {
  await enter(database, server, connections, WARM_UP_SECONDS);
  const measures = {
    transaction: () => floor(database, connections),
    tombola: () => enter(database, server, connections, SECONDS),
  };
  return { connections, ...(await inTurn(ROUNDS, measures, `${connections} connections, `)) };
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

const row = ({ connections, of }) =>
  [connections, whole(of('transaction', 'rate')), whole(of('tombola', 'rate')), asMs(of('tombola', 'p50')), asMs(of('tombola', 'p99'))];

const report = (database, { comparisons, idle, loaded, starts }) =>
  section(
    'Entering',
    circumstances('entering', database),
    `New entrants a second, each in a transaction, as in pgbench; median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round; everything runs on the one machine.`,
    table(['connections', 'pgbench', 'tombola', 'p50', 'p99'], comparisons.map(row)),
    table(
      ['figure', 'measured', 'target', ''],
      [
        ...comparisons.map(({ connections, ratio }) =>
          atLeast(`of pgbench, ${connections} connections`, ratio('tombola', 'transaction'), TARGET.transaction, asTimes)),
        atMost('memory idle, resident', idle.resident, TARGET.idleMb, asMb),
        ['memory idle, proportional', asMb(idle.shared), '', ''],
        atMost('memory under load, peak', loaded.peak, TARGET.loadedMb, asMb),
        atMost(`start to ready, median of ${STARTS}`, median(starts), TARGET.startMs, asMs),
      ],
    ),
  );

await bench(async () => {
  const database = makeDatabase('entering');
  const starts = await startTimes(database);
  const measured = await withServer(database, hashedPassword(), async (server) => {
    const [idle, comparisons] = [server.memory(), []];
    for (const connections of CONNECTIONS) comparisons.push(await compare(database, server, connections));
    return { starts, idle, comparisons, loaded: server.memory() };
  });
  console.log(report(database, measured));
  database.drop();
});
