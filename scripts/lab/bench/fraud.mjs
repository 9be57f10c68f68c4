// Fraud: the time of detection over many entrants, and how many flags a second staff can set, each of which takes back the
// referrer's entry. Run by scripts/lab/bench/run.sh.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedEntrants } from './seed.mjs';
import { call, hashedPassword, signIn, startServer } from './server.mjs';
import { SECONDS, asMs, atLeast, atMost, bench, circumstances, makeDatabase, median, say, table, timed, whole, wrkWithoutErrors } from './tools.mjs';

const ENTRANTS = Number(process.env.BENCH_SUSPECTS ?? 1_000_000);
const RUNS = 7;
const NEWCOMERS = 100;
const CONNECTIONS = 32;
const THREADS = 2;
const TARGET = { detectionMs: 2_000, flagsPerSecond: 1_000 };

/** Every 500th address has ten accounts; half of these become IPv6 networks. Two of five entrants came through a friend. */
function seed(database) {
  seedEntrants(database, { entrants: ENTRANTS });
  database.sql(`
    UPDATE users SET ip_address = ('2001:db8:' || to_hex(ip_address - '10.0.0.0') || ':1::' || right(phone_number, 4))::inet
    WHERE ip_address - '10.0.0.0' < ${ENTRANTS / 500} AND (ip_address - '10.0.0.0') % 2 = 0`);
  database.file('seed/ledger.sql');
  database.tombola('analytics', 'rebuild');
  database.sql('VACUUM (ANALYZE)', 'CHECKPOINT');
}

async function detect(server, token) {
  let flagged;
  const ms = await timed(async () => ({ flagged } = await call(server, '/api/admin/fraud-detection', { token, body: {} })));
  return { ms, flagged };
}

/** New accounts, three on each of some networks. */
function addNewcomers(database, run) {
  const first = 1 + run * NEWCOMERS;
  database.sql(`
    INSERT INTO users (phone_number, referral_code, ip_address)
    SELECT '+2' || (1000000000 + n), 'N' || lpad(n::text, 7, '0'), '172.16.0.0'::inet + n / 3 FROM generate_series(${first}, ${first + NEWCOMERS - 1}) AS n`);
}

/** How long it takes until newcomers are flagged. A detection finds none of them while the server is just folding them. */
const untilFlagged = (server, token) =>
  timed(async () => {
    while ((await detect(server, token)).flagged === 0);
  });

async function detections(database, server, token) {
  const first = await detect(server, token);
  say(`the first detection flagged ${whole(first.flagged)} entrants in ${asMs(first.ms)}`);
  const later = [];
  const idle = [];
  for (let run = 0; run < RUNS; run += 1) {
    addNewcomers(database, run);
    later.push(await untilFlagged(server, token));
    idle.push((await detect(server, token)).ms);
  }
  return { first, later: median(later), idle: median(idle) };
}

/** Flags of staff over HTTP, of friends whose referrers' entries are taken back. */
async function flags(database, server, token) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const file = join(folder, 'ids');
    writeFileSync(file, database.sql('SELECT referred_user_id FROM referrals JOIN users ON users.id = referred_user_id WHERE NOT is_flagged ORDER BY random()'));
    const taken = () => database.number("SELECT count(*) FROM entry_ledger WHERE kind = 'referral_reversed'");
    const before = taken();
    const { rate, p99 } = await wrkWithoutErrors(`${server.url}/api/admin/flag-user`, 'flags.lua', { connections: CONNECTIONS, seconds: SECONDS, threads: THREADS, args: [token, file, THREADS] });
    return { rate, p99, reversed: (taken() - before) / SECONDS };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Throws if a counter is not the sum of its rows. */
function verifyLedger(database) {
  const wrong = database.number(`
    SELECT count(*) FROM users
    JOIN (SELECT user_id, sum(delta) AS entries FROM entry_ledger GROUP BY user_id) AS ledger ON user_id = users.id
    WHERE entries <> total_entries`);
  if (wrong > 0) throw new Error(`${wrong} entrants have other entries than the ledger`);
}

const report = (database, { first, later, idle }, { rate, p99, reversed }) =>
  [
    '## Fraud',
    '',
    circumstances('fraud', database),
    `${whole(ENTRANTS)} entrants, of whom ${whole(first.flagged)} are on suspicious networks of ten, half of them IPv6. The first detection checks them all; a later one finds ${NEWCOMERS} new accounts, three on a network, median of ${RUNS}. Flags of staff: \`POST /api/admin/flag-user\` with ${CONNECTIONS} connections, ${SECONDS} s, p99 ${asMs(p99)}; each takes the referrer's entry back.`,
    '',
    table(
      ['figure', 'measured', 'target', ''],
      [
        atMost('the first detection', first.ms, TARGET.detectionMs, asMs),
        atMost('a later detection', later, TARGET.detectionMs, asMs),
        atMost('a detection without new accounts', idle, TARGET.detectionMs, asMs),
        atLeast('flags by detection', first.flagged / (first.ms / 1000), TARGET.flagsPerSecond, (value) => `${whole(value)}/s`),
        atLeast('flags of staff', rate, TARGET.flagsPerSecond, (value) => `${whole(value)}/s`),
        atLeast('entries that these took back', reversed, TARGET.flagsPerSecond, (value) => `${whole(value)}/s`),
      ],
    ),
  ].join('\n');

await bench(async () => {
  const database = makeDatabase('fraud');
  try {
    say(`inserting ${whole(ENTRANTS)} entrants`);
    seed(database);
    const server = await startServer(database, hashedPassword());
    try {
      const token = await signIn(server);
      const detected = await detections(database, server, token);
      const flagged = await flags(database, server, token);
      verifyLedger(database);
      console.log(report(database, detected, flagged));
    } finally {
      await server.stop();
    }
  } finally {
    database.drop();
  }
});
