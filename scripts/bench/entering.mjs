// Entering: how close the server comes to PostgreSQL alone, how much memory it takes, and how soon it is there.
// Run by scripts/bench/run.sh, which gives it an empty durable database in DATABASE_URL.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { enteringScript } from './pgbench-script.mjs';
import { startServer } from './server.mjs';

const CONNECTIONS = [32, 64];
const ROUNDS = 3;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const WARM_UP_SECONDS = Math.min(SECONDS, 3);
const STARTS = 10;
const TARGET = { ratio: 0.85, leastRatio: 0.7, idleMb: 20, loadedMb: 60, startMs: 150 };

const url = process.env.DATABASE_URL;
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const script = join(folder, 'entering.sql');
let base = 2_000_000_000;                       // where the next measurement's phone numbers begin

const run = (command, args) => execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64e6 });
const sql = (...statements) => run('psql', ['-XqAt', '-v', 'ON_ERROR_STOP=1', ...statements.flatMap((text) => ['-c', text]), url]).trim();
const say = (text) => console.error(`bench: ${text}`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Both sides begin on empty tables, just after a checkpoint. The ledger refuses to be emptied, so its trigger is passed by. */
function begin() {
  sql('SET session_replication_role = replica', 'TRUNCATE users, referrals, entry_ledger, user_consent', 'CHECKPOINT');
  base += 100_000_000;
  if (base >= 4_000_000_000) base = 2_000_000_000;
  return base;
}

function floor(connections, seconds) {
  const options = ['-n', '-M', 'prepared', '-c', connections, '-j', 2, '-T', seconds, '-D', `base=${begin()}`, '-D', 'n=0', '-f', script];
  const output = run('pgbench', [...options.map(String), url]);
  const [, rate] = /^tps = ([\d.]+)/m.exec(output);
  return { rate: Number(rate) };
}

function product(server, connections, seconds) {
  const options = ['-t2', `-c${connections}`, `-d${seconds}s`, '-s', 'scripts/bench/entering.lua', `${server.url}/api/users/register`];
  const output = run('wrk', [...options, '--', String(begin())]);
  const [requests, microseconds, p50, p99, errors, broken] = /^result ([\d ]+)$/m.exec(output)[1].split(' ').map(Number);
  if (errors > 0 || broken > 0) throw new Error(`of ${requests} answers ${errors} were errors, and ${broken} requests broke`);
  const stored = Number(sql('SELECT count(*) FROM users'));      // an answer of 200, "already in", would have stored nothing
  if (stored < requests) throw new Error(`of ${requests} answers only ${stored} can have been 201`);
  return { rate: requests / (microseconds / 1e6), p50: p50 / 1000, p99: p99 / 1000 };
}

/** Both by turns, so that whatever else the machine does meets both alike. */
function compare(server, connections) {
  floor(connections, WARM_UP_SECONDS);
  product(server, connections, WARM_UP_SECONDS);
  const floors = [];
  const products = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    floors.push(floor(connections, SECONDS));
    products.push(product(server, connections, SECONDS));
    say(`${connections} connections, round ${round}: pgbench ${floors.at(-1).rate.toFixed(0)}/s, tombola ${products.at(-1).rate.toFixed(0)}/s`);
  }
  const of = (results, figure) => median(results.map((result) => result[figure]));
  const ratio = median(products.map(({ rate }, round) => rate / floors[round].rate));
  return { connections, floor: of(floors, 'rate'), product: of(products, 'rate'), ratio, p50: of(products, 'p50'), p99: of(products, 'p99') };
}

async function startTimes() {
  const times = [];
  for (let n = 0; n < STARTS; n += 1) {
    const server = await startServer();
    times.push(server.startMs);
    await server.stop();
  }
  return times;
}

const ratioVerdict = (ratio) => (ratio >= TARGET.ratio ? 'met' : ratio >= TARGET.leastRatio ? 'below target' : 'FAILED');
const limitVerdict = (value, limit) => (value <= limit ? 'met' : 'missed');

function report({ comparisons, idle, loaded, starts }) {
  const entering = comparisons.map(
    (c) => `| ${c.connections} | ${c.floor.toFixed(0)} | ${c.product.toFixed(0)} | ${c.ratio.toFixed(2)} | ${c.p50.toFixed(1)} ms | ${c.p99.toFixed(1)} ms | ${ratioVerdict(c.ratio)} |`,
  );
  return [
    '## Entering',
    '',
    `${new Date().toISOString().slice(0, 10)}, \`make bench BENCH=entering\`: ${cpus().length} cores (${cpus()[0].model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, PostgreSQL ${sql('SHOW server_version')}, fsync ${sql('SHOW fsync')}, synchronous_commit ${sql('SHOW synchronous_commit')}.`,
    `New entrants a second, median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round; everything runs on the one machine. Target: ${TARGET.ratio} of pgbench running the same statements, never below ${TARGET.leastRatio}.`,
    '',
    '| connections | pgbench | tombola | ratio | p50 | p99 | |',
    '|---:|---:|---:|---:|---:|---:|---|',
    ...entering,
    '',
    '| figure | measured | target | |',
    '|---|---:|---:|---|',
    `| memory idle, resident | ${idle.resident.toFixed(1)} MB | ${TARGET.idleMb} MB | ${limitVerdict(idle.resident, TARGET.idleMb)} |`,
    `| memory idle, proportional | ${idle.shared.toFixed(1)} MB | | |`,
    `| memory under load, peak | ${loaded.peak.toFixed(1)} MB | ${TARGET.loadedMb} MB | ${limitVerdict(loaded.peak, TARGET.loadedMb)} |`,
    `| start to ready, median of ${STARTS} | ${median(starts).toFixed(0)} ms | ${TARGET.startMs} ms | ${limitVerdict(median(starts), TARGET.startMs)} |`,
    '',
  ].join('\n');
}

async function main() {
  if (loadavg()[0] > 0.5) say(`the machine is not quiet (load ${loadavg()[0].toFixed(1)}): expect low figures`);
  writeFileSync(script, enteringScript());
  run('target/release/tombola', ['migrate']);
  const starts = await startTimes();
  const server = await startServer();
  const idle = server.memory();
  try {
    const comparisons = CONNECTIONS.map((connections) => compare(server, connections));
    console.log(report({ comparisons, idle, loaded: server.memory(), starts }));
    if (comparisons.some(({ ratio }) => ratio < TARGET.leastRatio)) process.exitCode = 1;
  } finally {
    await server.stop();
  }
}

try {
  await main();
} catch (error) {
  say(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
