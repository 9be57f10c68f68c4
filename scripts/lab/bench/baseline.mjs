// Before and after: this build compared with an earlier one, whose program BENCH_BASELINE names, in alternating rounds. Each of
// the two has databases of its own, with its own schema.
import { VISITORS, enterWithCodes, startTextProvider } from './codes.mjs';
import { CONNECTIONS, confirm, startPaymentProvider } from './confirming.mjs';
import { PAGES, VIEW_CONNECTIONS, emptyEntrants, emptyViews, enter, perform, postViews, published } from './load.mjs';
import { referralCodes, seedEntrants, seedRaffle } from './seed.mjs';
import { TOMBOLA, signIn, withServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, bench, circumstances, inTurn, makeDatabase, section, table, timed, verdict, whole } from './tools.mjs';

const PROGRAMS = { before: process.env.BENCH_BASELINE, after: TOMBOLA };
const ROUNDS = 5;
const LEAST_RATIO = 0.95;                       // below it the new build is slower, beyond the noise of the machine
const ONLY = process.env.BENCH_LOAD ?? '';      // the loads whose names begin like that
const DRAWN = Number(process.env.BENCH_ENTRANTS ?? 1_000_000);

/** A load of wrk or of visitors: `load(database, server, provider, seconds)`. `provide` starts what the server asks. */
const steady = (load, { fill = () => undefined, provide = () => ({ settings: {}, stop: () => undefined }) } = {}) => async (database, program) => {
  await fill(database);
  const provider = await provide(database);
  const measure = () =>
    withServer(database, provider.settings, async (server) => {
      await load(database, server, provider, WARM_UP_SECONDS);
      return load(database, server, provider, SECONDS);
    }, program);
  return { measure, stop: provider.stop };
};

/** Drawings: the rate is in entrants a second, and p99 is the duration of one. */
const drawing = async (database, program) => {
  seedRaffle(database, { entrants: DRAWN });
  const measure = () =>
    withServer(database, {}, async (server) => {
      const token = await signIn(server);
      database.sql('CHECKPOINT');
      let entrants;
      const ms = await timed(async () => ({ totalParticipants: entrants } = await perform(server, token)));
      await published(database);
      return { rate: entrants / (ms / 1000), p99: ms };
    }, program);
  return { measure, stop: () => undefined };
};

function fillViews(database) {
  seedEntrants(database, { entrants: 1000 });
  database.codes = referralCodes(database, 200);
}

const LOADS = {
  'entering, 32 connections': steady((database, server, _, seconds) => enter(database, server, 32, seconds)),
  'entering, 64 connections': steady((database, server, _, seconds) => enter(database, server, 64, seconds)),
  [`entering with codes, ${VISITORS} visitors`]: steady(enterWithCodes, { fill: emptyEntrants, provide: startTextProvider }),
  [`page views, ${VIEW_CONNECTIONS} connections`]: steady((database, server, _, seconds) => postViews(emptyViews(database), server, PAGES, seconds), { fill: fillViews }),
  [`confirming, ${CONNECTIONS} connections`]: steady((database, server, _, seconds) => confirm(database, server, seconds), { provide: startPaymentProvider }),
  [`a drawing of ${whole(DRAWN)} entrants`]: drawing,
};

/** Measures one load with both programs. Returns its row of the table. */
async function compare(name, prepare) {
  const sides = {};
  for (const [which, program] of Object.entries(PROGRAMS)) {
    const database = makeDatabase(`${which}_baseline`, program);
    sides[which] = { database, ...(await prepare(database, program)) };
  }
  const { of, ratio } = await inTurn(ROUNDS, { before: sides.before.measure, after: sides.after.measure }, `${name}, `);
  for (const { database, stop } of Object.values(sides)) {
    stop();
    database.drop();
  }
  const figures = ['rate', 'p99'].flatMap((figure) => ['before', 'after'].map((which) => (figure === 'rate' ? whole : asMs)(of(which, figure))));
  const [before, after, ...times] = figures;
  return [name, before, after, ratio('after', 'before').toFixed(2), ...times, verdict(ratio('after', 'before') >= LEAST_RATIO)];
}

await bench(async () => {
  if (!PROGRAMS.before) throw new Error('BENCH_BASELINE must name the earlier program');
  const rows = [];
  for (const [name, prepare] of Object.entries(LOADS).filter(([name]) => name.startsWith(ONLY))) rows.push(await compare(name, prepare));
  const database = makeDatabase('circumstances');
  const text = section(
    'Before and after',
    circumstances('baseline', database),
    `Requests or entrants a second, median of ${ROUNDS} alternating rounds of ${SECONDS} s or of one drawing, the ratio round by round. Target: at least ${LEAST_RATIO}.`,
    table(['', 'before, /s', 'after, /s', 'ratio', 'p99 before', 'p99 after', ''], rows),
  );
  console.log(text);
  database.drop();
});
