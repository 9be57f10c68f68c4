// A drill: loses a database under load and restores it to a point in time, with the scripts of deploy/backup.
//
//   node scripts/lab/restore-drill.mjs PROGRAM        PROGRAM is the server, such as target/debug/tombola
//
// It starts a PostgreSQL of its own that archives its log, and a server with visitors who enter all the time. During that it
// makes a base backup, has a drawing, notes a point in time, and destroys the database. Then it restores to the point and
// replays a journal that has the erasure of a visitor, and checks: the visitor's number is gone; `tombola verify` passes; every
// sign-up that was acknowledged before the point is there, with its id; none that was sent after it is. It prints a report, and
// fails if anything of this does not hold.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts, stop, until } from '../processes.mjs';
import { perform } from './bench/load.mjs';
import { ADMIN, signIn } from './bench/server.mjs';
import { Cluster, postgresPrograms } from './drill/cluster.mjs';
import { Crowd } from './drill/crowd.mjs';

const PROGRAM = resolve(process.argv[2] ?? 'target/debug/tombola');
const SCRIPTS = join(dirname(fileURLToPath(import.meta.url)), '../../deploy/backup');
/** Sign-ups before the backup, during and after it until the point, and after the point. */
const PHASE = Number(process.env.SIGN_UPS ?? 500);
/** Visitors without a pause, who enter and look at pages. */
const VISITORS = { counts: { entering: 16, texted: 0, buying: 0 }, pause: { entering: 0, again: 20 } };

const report = [];
const say = (line) => console.log(`restore-drill: ${line}`);
const note = (what, value) => { report.push([what, value]); say(`${what}: ${value}`); };
const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

const settings = (cluster, port) => ({
  PATH: process.env.PATH,
  DATABASE_URL: cluster.url(),
  BIND_ADDR: `127.0.0.1:${port}`,
  ADMIN_USERNAME: ADMIN.username,
  ADMIN_PASSWORD: ADMIN.password,
  RATE_LIMITS: 'off',
  DRAIN_SECONDS: '0',
  DRAWING_DELAY: '1',
  LOG_FORMAT: 'json',
});

async function startServer(env) {
  const child = spawn(PROGRAM, ['serve'], { env, cwd: '/', stdio: 'ignore' });
  await until('the server is ready', () => spawnSync(PROGRAM, ['health', 'writes'], { env, cwd: '/' }).status === 0);
  return child;
}

/** Compares the restored database with what visitors were told. Returns what is wrong. */
function compare(cluster, visitors, before, after) {
  const stored = new Map(cluster.query('SELECT phone_number, id FROM users', { PGDATABASE: 'tombola' }).map((row) => row.split('|')));
  const told = visitors.signUps.filter((one) => one.answeredAt < before);
  const missing = told.filter((one) => stored.get(one.phone) !== String(one.id));
  const tooLate = visitors.sent.filter((one) => one.sentAt > after && stored.has(one.phone));
  note('sign-ups acknowledged before the point', told.length);
  note('of these, missing or with another id', missing.length);
  note('sign-ups sent after the point', visitors.sent.filter((one) => one.sentAt > after).length);
  note('of these, in the restored database', tooLate.length);
  const problems = [];
  if (told.length < 2 * PHASE) problems.push('there were too few sign-ups before the point');
  if (missing.length > 0) problems.push(`${missing.length} acknowledged sign-ups are missing`);
  if (tooLate.length > 0) problems.push(`${tooLate.length} sign-ups from after the point are there`);
  return problems;
}

function verify(env) {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(PROGRAM, ['verify'], { env, cwd: '/', encoding: 'utf8' });
  for (const line of `${stdout}${stderr}`.trim().split('\n')) note('tombola verify', line);
  note('time of tombola verify', seconds(started));
  return status === 0 ? [] : ['tombola verify failed'];
}

/** Erases somebody who entered before the point, as the journal of a server says. Returns what is wrong. */
function replay(cluster, env, erased) {
  writeFileSync(env.ERASURE_JOURNAL, `${new Date().toISOString()} ${erased.id}\n`);
  const { status, stdout, stderr } = spawnSync(PROGRAM, ['privacy', 'replay'], { env, cwd: '/', encoding: 'utf8' });
  note('tombola privacy replay', `${stdout}${stderr}`.trim());
  const [left] = cluster.query(`SELECT count(*) FROM users WHERE phone_number = '${erased.phone}'`, { PGDATABASE: 'tombola' });
  return status === 0 && left === '0' ? [] : ['the erasure was not replayed'];
}

/** The last segment is archived when it is full or after archive_timeout; here it is asked for. Returns its name. */
async function archiveAll(cluster) {
  const [segment] = cluster.query('SELECT pg_walfile_name(pg_switch_wal())');
  await until('the log is archived', () => cluster.query('SELECT last_archived_wal FROM pg_stat_archiver')[0] >= segment);
  return segment;
}

async function drill(folder, cleanUp) {
  const cluster = new Cluster(folder);
  const archive = join(folder, 'archive');
  const scripts = join(folder, 'scripts'); // PostgreSQL's user may not be able to enter the checkout
  cpSync(SCRIPTS, scripts, { recursive: true });
  note('PostgreSQL', cluster.run(['postgres', '--version']).trim().replace(/^postgres \(PostgreSQL\) /, ''));
  cluster.create();
  const archiving = [`archive_command=${scripts}/archive-wal.sh %p %f ${archive}/wal`, 'archive_mode=on', 'archive_timeout=60'];
  cluster.start(archiving);
  cleanUp.push(() => cluster.stop('immediate'));
  cluster.query('CREATE DATABASE tombola');
  const [port] = await freePorts(1);
  const env = { ...settings(cluster, port), ERASURE_JOURNAL: join(folder, 'erasures') };
  const origin = `http://127.0.0.1:${port}`;
  spawnSync(PROGRAM, ['demo'], { env, cwd: '/' });

  const server = await startServer(env);
  cleanUp.push(() => stop(server, 'SIGKILL'));
  const visitors = new Crowd(origin, VISITORS);
  visitors.start();
  cleanUp.push(() => visitors.stop());
  const more = (count) => {
    const goal = visitors.signUps.length + count;
    return until(`${goal} sign-ups`, () => visitors.signUps.length >= goal);
  };

  await more(PHASE);
  let started = performance.now();
  await new Promise((done, failed) => {
    const [program, ...args] = [...cluster.prefix, join(scripts, 'base-backup.sh'), archive];
    const backup = spawn(program, args, { env: { ...process.env, PATH: `${cluster.programs}:${process.env.PATH}`, PGHOST: folder, PGUSER: 'tombola' }, cwd: '/', stdio: 'inherit' });
    backup.on('exit', (code) => (code === 0 ? done() : failed(new Error(`base-backup.sh failed: ${code}`))));
  });
  note('base backup under load', seconds(started));
  await more(PHASE / 2);
  const drawing = await perform({ url: origin }, await signIn({ url: origin }));
  note('drawing', `${drawing.totalParticipants} entrants`);
  await more(PHASE / 2);

  // What was answered before the question is certainly before the point; what is sent after the answer is certainly after it.
  const before = performance.now();
  const [point] = cluster.query('SELECT clock_timestamp()');
  const after = performance.now();
  note('point', point);
  await more(PHASE);

  await archiveAll(cluster);
  await stop(server, 'SIGKILL');
  await visitors.stop();
  cluster.stop('immediate');
  rmSync(cluster.data, { recursive: true });
  note('destroyed', 'the server was killed, PostgreSQL stopped at once, and its data folder deleted');

  started = performance.now();
  const restored = join(folder, 'restored');
  cluster.run([join(scripts, 'restore.sh'), archive, restored, point]);
  cluster.start(archiving, restored);
  await until('the log is replayed', () => cluster.query('SELECT pg_is_in_recovery()')[0] === 'f');
  note('restore and replay', seconds(started));

  const erased = visitors.signUps.find((one) => one.answeredAt < before);
  const problems = [...compare(cluster, visitors, before, after), ...replay(cluster, env, erased), ...verify(env)];
  const again = await startServer(env);
  cleanUp.push(() => stop(again, 'SIGTERM'));
  const later = new Crowd(origin, { ...VISITORS, first: 5_000_000 });
  later.start();
  cleanUp.push(() => later.stop());
  await until('visitors enter again', () => later.signUps.length >= 100);
  await later.stop();
  const segment = await archiveAll(cluster);
  note('after the restore', `${later.signUps.length} visitors entered; the log is archived again, on timeline ${parseInt(segment.slice(0, 8), 16)}`);
  return problems;
}

async function main() {
  if (!existsSync(join(postgresPrograms() ?? '', 'pg_basebackup'))) return void say('skipped: PostgreSQL with pg_basebackup is not installed (apt-get install postgresql)');
  const folder = mkdtempSync('/tmp/tombola-drill-');
  chmodSync(folder, 0o755);
  const cleanUp = [() => rmSync(folder, { recursive: true, force: true })];
  let problems;
  try {
    problems = await drill(folder, cleanUp);
  } finally {
    for (const step of cleanUp.reverse()) await Promise.resolve().then(step).catch(() => undefined);
  }
  console.log('\n| what | result |\n|---|---|');
  for (const [what, value] of report) console.log(`| ${what} | ${value} |`);
  for (const problem of problems) console.error(`restore-drill: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else say('passed');
}

await main();
