// Page views: the throughput compared with single inserts in PostgreSQL, with a typical Express server, and with a table that
// already has many views. Run by scripts/bench/run.sh.
import { existsSync } from 'node:fs';
import { pageViewScript } from './pgbench-script.mjs';
import { referralCodes, seedEntrants, seedViews } from './seed.mjs';
import { start, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, asTimes, atLeast, atMost, bench, circumstances, makeDatabase, median, pgbench, run, say, table, whole, wrkWithoutErrors } from './tools.mjs';

const CONNECTIONS = 256;
const CLIENTS = [32, 64, 128];
const ROUNDS = 3;
const PRESENT = Number(process.env.BENCH_VIEWS ?? 10_000_000);
const ENTRANTS = 1000;
const PAGES = ['garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living'];
const NOT_STORED = ['admin-dashboard'];         // accepted and parsed, but not stored; as long as the average page name
const TARGET = { floor: 2.5, noop: 0.6, full: 0.95, peer: 10, loadedMb: 60 };
const PEER = 'scripts/bench/peer';

let rounds = 0;

/** Removes all views. */
function cleared(database) {
  database.sql('TRUNCATE page_views, page_view_times, conversion_funnel');
  return database;
}

/** PostgreSQL alone, with the number of clients that is fastest. */
function floor(database) {
  const rates = CLIENTS.map((clients) => {
    cleared(database).sql('CHECKPOINT');
    return pgbench(database, pageViewScript(), { clients, seconds: SECONDS, variables: { n: 0 } });
  });
  const rate = Math.max(...rates);
  return { rate, clients: CLIENTS[rates.indexOf(rate)] };
}

/** Posts views and checks that all acknowledged views are stored, or none if the pages are NOT_STORED. */
async function post(database, server, pages, seconds) {
  database.sql('CHECKPOINT');
  const before = database.number('SELECT coalesce(max(id), 0) FROM page_views');
  rounds += 1;
  const args = [rounds, pages.join(','), ...database.codes];
  const result = await wrkWithoutErrors(`${server.url}/api/analytics/page-view`, 'page-views.lua', { connections: CONNECTIONS, seconds, args });
  const stored = database.number(`SELECT count(*) FROM page_views WHERE id > ${before}`);
  const proven = pages === NOT_STORED ? stored === 0 : stored >= result.answered;
  if (!proven) throw new Error(`${stored} views are stored, ${result.answered} were acknowledged`);
  return result;
}

/** Measures one round on a newly started server, so that no other server runs. */
async function measure(startIt, database, pages) {
  const server = await startIt(database);
  try {
    await post(database, server, pages, WARM_UP_SECONDS);
    const result = await post(database, server, pages, SECONDS);
    return { ...result, memory: server.memory() };
  } finally {
    await server.stop();
  }
}

const startPeer = ({ url }) =>
  start(['node', `${PEER}/server.mjs`], '/readyz', (port) => ({ NODE_ENV: 'production', PORT: String(port), DATABASE_URL: url }));

/** Alternates between all, so that other load on the machine affects all equally. */
async function compare(databases) {
  const results = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const result = {
      floor: floor(databases.floor),
      empty: await measure(startServer, cleared(databases.empty), PAGES),
      full: await measure(startServer, databases.full, PAGES),
      noop: await measure(startServer, cleared(databases.empty), NOT_STORED),
      peer: await measure(startPeer, cleared(databases.peer), PAGES),
    };
    results.push(result);
    const rates = Object.entries(result).map(([name, { rate }]) => `${name} ${whole(rate)}/s`);
    say(`round ${round}: ${rates.join(', ')}`);
  }
  return results;
}

function report(database, results) {
  const of = (name, figure) => median(results.map((result) => result[name][figure]));
  const ratio = (name, other) => median(results.map((result) => result[name].rate / result[other].rate));
  const row = (what, name) => [what, whole(of(name, 'rate')), asMs(of(name, 'p50')), asMs(of(name, 'p99'))];
  const peak = Math.max(...results.flatMap(({ empty, full, noop }) => [empty, full, noop]).map(({ memory }) => memory.peak));
  const clients = results.map((result) => result.floor.clients).join(', ');
  return [
    '## Page views',
    '',
    circumstances('page-views', database),
    `Views a second, median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratios round by round; ${CONNECTIONS} connections, each view of a new session, a third with a referral code, each answer after its commit; after each round every acknowledged view was found in the table. Everything runs on the one machine.`,
    '',
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
  ].join('\n');
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
  const results = await compare(databases);
  console.log(report(databases.empty, results));
  for (const database of Object.values(databases)) database.drop();
});
