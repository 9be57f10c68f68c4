// Before and after: this build compared with an earlier one, whose program BENCH_BASELINE names, in alternating rounds.
// Run by scripts/lab/bench/run.sh. Both programs must run on the same schema.
import { PAGES, emptyViews, enter, postViews } from './load.mjs';
import { referralCodes, seedEntrants } from './seed.mjs';
import { TOMBOLA, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, bench, circumstances, makeDatabase, median, say, table, verdict, whole } from './tools.mjs';

const PROGRAMS = { before: process.env.BENCH_BASELINE, after: TOMBOLA };
const ROUNDS = 5;
const LEAST_RATIO = 0.95;                       // below it the new build is slower, beyond the noise of the machine
const LOADS = {
  'entering, 32 connections': (database, server, seconds) => enter(database, server, 32, seconds),
  'entering, 64 connections': (database, server, seconds) => enter(database, server, 64, seconds),
  'page views, 256 connections': (database, server, seconds) => postViews(emptyViews(database), server, PAGES, seconds),
};

/** Measures one round on a newly started server, so that no other server runs. */
async function measure(program, database, load) {
  const server = await startServer(database, {}, program);
  try {
    await load(database, server, WARM_UP_SECONDS);
    return await load(database, server, SECONDS);
  } finally {
    await server.stop();
  }
}

/** Alternates which program goes first, so that neither profits from its place in the round. */
async function compare(database, name, load) {
  const results = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const result = {};
    const order = round % 2 ? ['before', 'after'] : ['after', 'before'];
    for (const which of order) result[which] = await measure(PROGRAMS[which], database, load);
    results.push(result);
    say(`${name}, round ${round}: before ${whole(result.before.rate)}/s, after ${whole(result.after.rate)}/s`);
  }
  const of = (which, figure) => median(results.map((result) => result[which][figure]));
  const ratio = median(results.map(({ before, after }) => after.rate / before.rate));
  return [name, whole(of('before', 'rate')), whole(of('after', 'rate')), ratio.toFixed(2), asMs(of('before', 'p99')), asMs(of('after', 'p99')), verdict(ratio >= LEAST_RATIO)];
}

await bench(async () => {
  if (!PROGRAMS.before) throw new Error('BENCH_BASELINE must name the earlier program');
  const entrants = makeDatabase('entrants');
  const views = makeDatabase('views');
  seedEntrants(views, { entrants: 1000 });
  views.codes = referralCodes(views, 200);
  const rows = [];
  for (const [name, load] of Object.entries(LOADS)) rows.push(await compare(name.startsWith('entering') ? entrants : views, name, load));
  const text = [
    '## Before and after',
    '',
    circumstances('baseline', entrants),
    `Requests a second, median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round. Target: at least ${LEAST_RATIO}.`,
    '',
    table(['', 'before, /s', 'after, /s', 'ratio', 'p99 before', 'p99 after', ''], rows),
  ];
  console.log(text.join('\n'));
  entrants.drop();
  views.drop();
});
