// Erasure: how long it takes to erase people among many entrants and texts, as the replay of a journal does it. Run by
// scripts/lab/bench/run.sh.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedEntrants } from './seed.mjs';
import { asMs, atMost, bench, circumstances, makeDatabase, say, table, timed, whole } from './tools.mjs';

const ENTRANTS = Number(process.env.BENCH_SUSPECTS ?? 1_000_000);
const TEXTS = 3;
const ERASED = 1_000;
const TARGET = { eachMs: 25 };

/** Several texts to each entrant. */
function seed(database) {
  seedEntrants(database, { entrants: ENTRANTS });
  database.sql(`
    INSERT INTO sms_sent_messages (kind, user_id, phone_number, message_body, status, due_at, created_at)
    SELECT 'welcome', id, phone_number, 'Hello', 'delivered', now(), now() FROM users, generate_series(1, ${TEXTS})`);
  database.file('seed/ledger.sql');
  database.tombola('analytics', 'rebuild');
  database.sql('VACUUM (ANALYZE)', 'CHECKPOINT');
}

/** Erases random entrants. Returns the milliseconds that each took. */
async function erase(database, journal) {
  const at = new Date().toISOString();
  const ids = database.sql(`SELECT id FROM users WHERE erased_at IS NULL ORDER BY random() LIMIT ${ERASED}`).split('\n');
  writeFileSync(journal, ids.map((id) => `${at} ${id}\n`).join(''));
  process.env.ERASURE_JOURNAL = journal;
  return (await timed(async () => database.tombola('privacy', 'replay'))) / ERASED;
}

const report = (database, each) =>
  [
    '## Erasure',
    '',
    circumstances('erasure', database),
    `${whole(ENTRANTS)} entrants with ${TEXTS} texts each; \`tombola privacy replay\` erases ${whole(ERASED)} of them, one after the other.`,
    '',
    table(['figure', 'measured', 'target', ''], [atMost('one erasure', each, TARGET.eachMs, asMs)]),
  ].join('\n');

await bench(async () => {
  const database = makeDatabase('erasure');
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    say(`inserting ${whole(ENTRANTS)} entrants with ${TEXTS} texts each`);
    seed(database);
    console.log(report(database, await erase(database, join(folder, 'erasures'))));
    const left = database.number('SELECT count(*) FROM users WHERE erased_at IS NOT NULL');
    if (left !== ERASED) throw new Error(`${left} people were erased`);
  } finally {
    rmSync(folder, { recursive: true });
    database.drop();
  }
});
