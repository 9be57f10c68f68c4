// Page views: the throughput compared with single inserts in PostgreSQL, with a typical Express server, and with a table that
// already has many views.
import { existsSync } from 'node:fs';
import { NOT_STORED, PAGES, VIEW_CONNECTIONS, emptyViews, postViews } from './load.mjs';
import { pageViewScript } from './pgbench-script.mjs';
import { referralCodes, seedEntrants, seedViews, settle } from './seed.mjs';
import { hashedPassword, start, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, asTimes, atLeast, atMost, bench, circumstances, inTurn, makeDatabase, pgbench, run, say, section, table, whole } from './tools.mjs';

const CLIENTS = [32, 64, 128];
const ROUNDS = 7;
const PRESENT = Number(process.env.BENCH_VIEWS ?? 10_000_000);
const ENTRANTS = 1000;
const TARGET = { floor: 1.6, noop: 0.4, full: 0.9, peer: 7, loadedMb: 80 };
const PEER = 'scripts/lab/bench/peer';

/** PostgreSQL alone, with the number of clients that is fastest. */
function floor(database) {
  const rates = CLIENTS.map((clients) => {
    emptyViews(database).sql('CHECKPOINT');
    return pgbench(database, pageViewScript(), { clients, seconds: SECONDS, variables: { n: 0 } });
  });
  emptyViews(database);
  const rate = Math.max(...rates);
  return { rate, clients: CLIENTS[rates.indexOf(rate)] };
}

/**
 * Measures one round on a newly started server, so that no other server runs. `tidy` leaves nothing for autovacuum, which would
 * run during the next measurement.
 */
async function measure(startIt, database, pages, tidy = emptyViews) {
  const server = await startIt(database);
  try {
    await postViews(database, server, pages, WARM_UP_SECONDS);
    const result = await postViews(database, server, pages, SECONDS);
    return { ...result, memory: server.memory() };
  } finally {
    await server.stop();
    tidy(database);
  }
}

const startTombola = (database) => startServer(database, hashedPassword());

const startPeer = ({ url }) =>
  start(['node', `${PEER}/server.mjs`], '/readyz', (port) => ({ NODE_ENV: 'production', PORT: String(port), DATABASE_URL: url }));

function report(database, { rounds, of, ratio }) {
  const row = (what, name) => [what, whole(of(name, 'rate')), asMs(of(name, 'p50')), asMs(of(name, 'p99'))];
  const peak = Math.max(...rounds.flatMap(({ empty, full, noop }) => [empty, full, noop]).map(({ memory }) => memory.peak));
  const clients = rounds.map(({ floor }) => floor.clients).join(', ');
  return section(
    'Page views',
    circumstances('page-views', database),
    `Views a second, median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratios round by round; ${VIEW_CONNECTIONS} connections, each view of a new session, a third with a referral code, each answer after its commit; after each round every acknowledged view was found in the table. Everything runs on the one machine.`,
    table(
      ['', 'views/s', 'p50', 'p99'],
      [
        row('tombola, empty table', 'empty'),
        row(`tombola, ${whole(PRESENT)} views present`, 'full'),
        row('tombola, accepted but not stored', 'noop'),
        [`pgbench, one row a transaction (best of ${CLIENTS.join(', ')} clients: ${clients})`, whole(of('floor', 'rate')), '', ''],
        row('Express with node-postgres', 'peer'),
      ],
    ),
    table(
      ['figure', 'measured', 'target', ''],
      [
        atLeast('of pgbench', ratio('empty', 'floor'), TARGET.floor, asTimes),
        atLeast('of not storing', ratio('empty', 'noop'), TARGET.noop, asTimes),
        atLeast('of an empty table, when full', ratio('full', 'empty'), TARGET.full, asTimes),
        atLeast('of Express', ratio('empty', 'peer'), TARGET.peer, asTimes),
        atMost('memory under load, peak', peak, TARGET.loadedMb, asMb),
      ],
    ),
  );
}

await bench(async () => {
  if (!existsSync(`${PEER}/node_modules`)) run('npm', ['ci', '--prefix', PEER, '--no-audit', '--no-fund', '--loglevel=error']);
  const databases = {};
  for (const name of ['floor', 'empty', 'full', 'peer']) {
    databases[name] = makeDatabase(name);
    seedEntrants(databases[name], { entrants: ENTRANTS });
    databases[name].codes = referralCodes(databases[name], 200);
  }
  say(`inserting ${whole(PRESENT)} views`);
  seedViews(databases.full, { views: PRESENT });
  const results = await inTurn(ROUNDS, {
    floor: () => floor(databases.floor),
    empty: () => measure(startTombola, databases.empty, PAGES),
    full: () => measure(startTombola, databases.full, PAGES, settle),
    noop: () => measure(startTombola, databases.empty, NOT_STORED),
    peer: () => measure(startPeer, databases.peer, PAGES),
  });
  console.log(report(databases.empty, results));
  for (const database of Object.values(databases)) database.drop();
});
