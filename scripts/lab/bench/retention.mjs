// Retention: one daily run that erases addresses, user agents and fingerprints of many views, compared with one UPDATE of as
// many rows by psql. Run by scripts/lab/bench/run.sh.
import { seedEntrants, seedViews } from './seed.mjs';
import { asMs, asTimes, atLeast, bench, circumstances, makeDatabase, say, table, timed, whole } from './tools.mjs';

const VIEWS = Number(process.env.BENCH_VIEWS ?? 10_000_000);
const DAYS = 45;                                // the seed spreads views over 90 days, so this erases about half of them
const TARGET = 0.5;
const ERASED = 'ip_address = NULL, user_agent = NULL, fingerprint = NULL';

/** Rows that still have an address. */
const left = (database) => database.number('SELECT count(ip_address) FROM page_views');

/** The floor: one statement on a copy of the same database. */
async function update(database) {
  const before = left(database);
  const ms = await timed(() => database.sql(`UPDATE page_views SET ${ERASED} WHERE created_at < now() - interval '${DAYS} days'`));
  return { rows: before - left(database), ms };
}

async function runTombola(database) {
  const before = left(database);
  const ms = await timed(() => database.tombola('retention', 'run'));
  return { rows: before - left(database), ms };
}

async function measure(name, work) {
  const database = makeDatabase(name);
  try {
    say(`inserting ${whole(VIEWS)} views for ${name}`);
    seedEntrants(database, { entrants: 1_000 });
    seedViews(database, { views: VIEWS });
    const result = await work(database);
    database.tombola('analytics', 'verify');    // fails if a figure changed
    return { ...result, about: circumstances('retention', database) };
  } finally {
    database.drop();
  }
}

const rate = ({ rows, ms }) => rows / (ms / 1000);

await bench(async () => {
  process.env.RETENTION_DAYS = String(DAYS);
  const floor = await measure('retention_floor', update);
  const run = await measure('retention', runTombola);
  const row = (what, { rows, ms }) => [what, whole(rows), asMs(ms), `${whole(rows / (ms / 1000))}/s`];
  const text = [
    '## Retention',
    '',
    run.about,
    `\`tombola retention run\` on ${whole(VIEWS)} views of 90 days with \`RETENTION_DAYS=${DAYS}\`, in transactions of 5,000 rows, with the start of the program. The floor is one \`UPDATE\` of the same rows by psql on the same data. Afterwards \`tombola analytics verify\` finds no difference.`,
    '',
    table(['', 'rows', 'time', 'speed'], [row('psql', floor), row('tombola', run)]),
    table(['figure', 'measured', 'target', ''], [atLeast('speed as a ratio to psql', rate(run) / rate(floor), TARGET, asTimes)]),
  ];
  console.log(text.join('\n'));
});
