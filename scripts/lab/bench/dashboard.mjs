// The dashboard: response times with different numbers of views, and the delay until it shows a new view.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { seedEntrants, seedViews } from './seed.mjs';
import { call, hashedPassword, signIn, withServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, asTimes, atLeast, atMost, bench, circumstances, makeDatabase, median, quantile, say, section, table, timed, whole, wrkWithoutErrors } from './tools.mjs';

const SMALL = Number(process.env.BENCH_VIEWS ?? 10_000_000) / 10;
const LARGE = SMALL * 10;
const ENTRANTS = 200_000;
const TABS = 100;
const POLLS = SECONDS * 10;
const CACHED_MS = 1000;                         // how long the server may repeat an answer
const RAW_RUNS = 3;
const FRESHNESS_TRIES = 20;
const TARGET = { p99: 15, growth: 1.3, raw: 200, freshMs: 2000, loadedMb: 80 };

const dashboard = (server, token) => call(server, '/api/admin/analytics/dashboard', { token });
const view = (server) => call(server, '/api/analytics/page-view', { body: { page: 'garden-bag', sessionId: randomUUID() } });

/** Polls after a new view and after the cached answer expired, so that the server must compute every answer. */
async function recomputed(server, token) {
  const times = [];
  for (let poll = 0; poll < POLLS; poll += 1) {
    await view(server);
    await delay(CACHED_MS * 1.1);
    times.push(await timed(() => dashboard(server, token)));
  }
  return { p50: median(times), p99: quantile(times, 0.99) };
}

/** Many concurrent connections without a pause. */
const flooded = (server, token, seconds) =>
  wrkWithoutErrors(`${server.url}/api/admin/analytics/dashboard`, 'wrk.lua', { connections: TABS, seconds, headers: [`Authorization: Bearer ${token}`] });

/** The time from posting a view until the dashboard counts it; the maximum of many. */
async function freshness(server, token) {
  const times = [];
  for (let n = 0; n < FRESHNESS_TRIES; n += 1) {
    const { totalPageViews: before } = await dashboard(server, token);
    times.push(await timed(async () => {
      await view(server);
      while ((await dashboard(server, token)).totalPageViews === before) await delay(10);
    }));
  }
  return Math.max(...times);
}

/** The time to compute the same figures without roll-ups, in milliseconds. */
async function raw(database) {
  const times = [];
  for (let n = 0; n < RAW_RUNS; n += 1) times.push(await timed(() => database.file('dashboard.sql')));
  return median(times);
}

async function measure(views) {
  const database = makeDatabase('dashboard');
  say(`inserting ${whole(views)} views`);
  seedEntrants(database, { entrants: ENTRANTS });
  const counted = seedViews(database, { views, perSession: 2 });
  const result = await withServer(database, hashedPassword(), async (server) => {
    const token = await signIn(server);
    const { totalPageViews } = await dashboard(server, token);
    if (totalPageViews !== views) throw new Error(`the dashboard counts ${totalPageViews} of ${views} views`);
    await flooded(server, token, WARM_UP_SECONDS);
    const [tabs, computed] = [await flooded(server, token, SECONDS), await recomputed(server, token)];
    const fresh = await freshness(server, token);
    say(`${whole(views)} views: p99 ${asMs(computed.p99)}, with ${TABS} tabs ${asMs(tabs.p99)}, fresh after ${asMs(fresh)}`);
    const figures = { views, counted, flooded: tabs, recomputed: computed, fresh, memory: server.memory() };
    return { ...figures, raw: await raw(database), circumstances: circumstances('dashboard', database) };
  });
  database.drop();
  return result;
}

function report(results) {
  const [small, large] = results;
  const rows = results.map(({ views, recomputed, flooded, fresh, raw, counted }) => [
    whole(views), asMs(recomputed.p50), asMs(recomputed.p99), `${whole(flooded.rate)}/s`, asMs(flooded.p99), asMs(fresh), asMs(raw), `${whole(counted / 1000)} s`,
  ]);
  const worst = (figure) => Math.max(...results.map(figure));
  return section(
    'Dashboard',
    small.circumstances,
    `\`GET /api/admin/analytics/dashboard\` with ${whole(ENTRANTS)} entrants. Computed: ${POLLS} calls, each after a new view and after the last answer has expired. Tabs: ${TABS} connections without a pause, ${SECONDS} s. Fresh: from posting a view until it is counted, the worst of ${FRESHNESS_TRIES}. Raw: the same figures from the tables (\`scripts/lab/bench/dashboard.sql\`), median of ${RAW_RUNS}. Counted: \`tombola analytics rebuild\`, which counts everything twice. Everything runs on the one machine.`,
    table(['views', 'computed, p50', 'computed, p99', 'tabs', 'tabs, p99', 'fresh', 'raw', 'counted'], rows),
    table(
      ['figure', 'measured', 'target', ''],
      [
        atMost('p99, computed', worst((result) => result.recomputed.p99), TARGET.p99, asMs),
        atMost(`p99, ${TABS} tabs`, worst((result) => result.flooded.p99), TARGET.p99, asMs),
        atMost(`p50 with ${whole(large.views)} views, of that with ${whole(small.views)}`, large.recomputed.p50 / small.recomputed.p50, TARGET.growth, asTimes),
        atLeast(`faster than raw SQL with ${whole(large.views)} views (p50)`, large.raw / large.recomputed.p50, TARGET.raw, asTimes),
        atMost('fresh', worst((result) => result.fresh), TARGET.freshMs, asMs),
        atMost('memory, peak', worst((result) => result.memory.peak), TARGET.loadedMb, asMb),
      ],
    ),
  );
}

await bench(async () => {
  const results = [];
  for (const views of [SMALL, LARGE]) results.push(await measure(views));
  console.log(report(results));
});
