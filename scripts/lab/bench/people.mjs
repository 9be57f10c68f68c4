// Staff's search for people and a person's page at a million entrants: every way to search, and the page of somebody with many
// friends, compared with a handler that does nothing. Run by scripts/lab/bench/run.sh.
import { seedEntrants } from './seed.mjs';
import { signIn, startServer } from './server.mjs';
import { asMs, asTimes, atMost, bench, circumstances, makeDatabase, quantile, say, table, whole } from './tools.mjs';

const ENTRANTS = Number(process.env.BENCH_SUSPECTS ?? 1_000_000);
const REQUESTS = 300;                           // of each kind
const TARGET = { p99Ms: 50 };

/** Random entrants, with what staff search by. */
function samples(database) {
  const rows = database.sql(`
    SELECT id, phone_number, referral_code FROM users TABLESAMPLE SYSTEM (1) ORDER BY random() LIMIT ${REQUESTS}`);
  return rows.split('\n').map((row) => {
    const [id, phone, code] = row.split('|');
    return { id, phone, code };
  });
}

const search = (query) => `/api/admin/people?limit=25&${query}`;
const typed = (text) => search(`query=${encodeURIComponent(text)}`);

/** What is asked of each sample, by name. */
const kinds = {
  'nothing: `/healthz`': () => '/healthz',
  'search by a number, E.164': ({ phone }) => typed(phone),
  'search by a number, as people write it': ({ phone }) => typed(`(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`),
  'search by the last four digits': ({ phone }) => typed(phone.slice(-4)),
  'search by a referral code': ({ code }) => typed(code.toLowerCase()),
  'search by an ID': ({ id }) => typed(id),
  'everybody, first page': () => search(''),
  'one landing page, tenth page': () => search('landingPage=garden-bag&offset=225'),
  'flagged people': () => search('flagged=true'),
  'a person’s page': ({ id }) => `/api/admin/people/${id}`,
};

async function measure(server, token, pathOf, all) {
  const times = [];
  for (const sample of all) {
    const started = performance.now();
    const response = await fetch(server.url + pathOf(sample), { headers: { Authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${pathOf(sample)}: ${response.status}`);
    times.push(performance.now() - started);
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

function report(database, figures) {
  const [[, floor]] = figures;
  const row = ([name, { p50, p99 }]) => [name, asMs(p50), asMs(p99), asTimes(p50 / floor.p50)];
  const slowest = Math.max(...figures.map(([, { p99 }]) => p99));
  return [
    '## People',
    '',
    circumstances('people', database),
    `${whole(ENTRANTS)} entrants; ${REQUESTS} requests of each kind, one after the other, for random entrants.`,
    '',
    table(['request', 'p50', 'p99', 'times nothing'], figures.map(row)),
    table(['figure', 'measured', 'target', ''], [atMost('p99 of the slowest', slowest, TARGET.p99Ms, asMs)]),
  ].join('\n');
}

await bench(async () => {
  const database = makeDatabase('people');
  try {
    say(`inserting ${whole(ENTRANTS)} entrants`);
    seedEntrants(database, { entrants: ENTRANTS });
    database.file('seed/ledger.sql');
    database.sql('UPDATE users SET is_flagged = true WHERE sequence_number % 1000 = 0', 'VACUUM (ANALYZE)', 'CHECKPOINT');
    const server = await startServer(database);
    try {
      const token = await signIn(server);
      const all = samples(database);
      const figures = [];
      for (const [name, pathOf] of Object.entries(kinds)) {
        await measure(server, token, pathOf, all.slice(0, 30)); // warm up
        figures.push([name, await measure(server, token, pathOf, all)]);
      }
      console.log(report(database, figures));
    } finally {
      await server.stop();
    }
  } finally {
    database.drop();
  }
});
