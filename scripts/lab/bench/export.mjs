// The copy of the data of an entrant with 10,000 referrals, among many entrants: how long the download takes, compared with
// reading the same rows with psql. Run by scripts/lab/bench/run.sh.
import { seedEntrants } from './seed.mjs';
import { call, signIn, startServer } from './server.mjs';
import { asMb, asMs, asTimes, atMost, bench, circumstances, makeDatabase, median, run, say, table, timed, whole } from './tools.mjs';

const ENTRANTS = Number(process.env.BENCH_SUSPECTS ?? 1_000_000);
const REFERRALS = 10_000;
const ROUNDS = 20;
const TARGET = { downloadMs: 1_000, timesPsql: 5 };

/** Gives the first entrant 10,000 friends, with the ledger that they bring. */
function seed(database) {
  seedEntrants(database, { entrants: ENTRANTS });
  const id = database.number('SELECT id FROM users ORDER BY sequence_number LIMIT 1');
  database.sql(`
    UPDATE referrals SET referrer_id = ${id}
    WHERE id IN (SELECT id FROM referrals WHERE referred_user_id <> ${id} ORDER BY id LIMIT ${REFERRALS})`);
  database.file('seed/ledger.sql');
  database.sql('VACUUM (ANALYZE)', 'CHECKPOINT');
  return id;
}

async function download(server, path) {
  const response = await fetch(server.url + path, { headers: { Connection: 'close' } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.arrayBuffer()).byteLength;
}

async function measure(database, id) {
  const server = await startServer(database);
  try {
    const token = await signIn(server);
    const { fileUrl } = await call(server, `/api/admin/people/${id}/data-requests`, { token, body: { requestType: 'export' } });
    const bytes = await download(server, fileUrl);
    const rows = ['referrals WHERE referrer_id', 'entry_ledger WHERE user_id'];
    const statements = rows.flatMap((from) => ['-c', `COPY (SELECT to_jsonb(own) FROM ${from.replace(' ', ' AS own ')} = ${id}) TO STDOUT`]);
    const [downloads, reads] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      downloads.push(await timed(() => download(server, fileUrl)));
      reads.push(await timed(() => run('psql', ['-XqAt', ...statements, database.url])));
    }
    return { bytes, downloadMs: median(downloads), psqlMs: median(reads) };
  } finally {
    await server.stop();
  }
}

const report = (database, { bytes, downloadMs, psqlMs }) =>
  [
    '## Copies of people’s data',
    '',
    circumstances('export', database),
    `An entrant with ${whole(REFERRALS)} referrals among ${whole(ENTRANTS)} entrants; median of ${ROUNDS} downloads of the ZIP (${asMb(bytes / 1e6)}) and of \`COPY\` of the same referrals and ledger as JSON with psql, which connects for each.`,
    '',
    table(
      ['figure', 'measured', 'target', ''],
      [
        atMost('download', downloadMs, TARGET.downloadMs, asMs),
        atMost('times the time of psql', downloadMs / psqlMs, TARGET.timesPsql, asTimes),
      ],
    ),
  ].join('\n');

await bench(async () => {
  const database = makeDatabase('export');
  try {
    say(`inserting ${whole(ENTRANTS)} entrants`);
    console.log(report(database, await measure(database, seed(database))));
  } finally {
    database.drop();
  }
});
