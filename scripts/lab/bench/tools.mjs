// Shared by the benchmarks: databases, load generators, comparison with targets.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TOMBOLA, databaseSettings } from './server.mjs';

/** The duration of one measurement in seconds; BENCH_SECONDS sets it. */
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
export const WARM_UP_SECONDS = Math.min(SECONDS, 3);

export const say = (text) => console.error(`bench: ${text}`);
export const median = (numbers) => quantile(numbers, 0.5);
export const quantile = (numbers, q) => numbers.toSorted((a, b) => a - b)[Math.min(Math.floor(numbers.length * q), numbers.length - 1)];
export const whole = (number) => Math.round(number).toLocaleString('en-US');

export const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64e6, ...options });

/** Returns how long `work` takes, in milliseconds. */
export async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Says whether a target is met. A missed target makes the run fail at its end. */
export function verdict(met) {
  if (!met) process.exitCode = 1;
  return met ? 'met' : 'FAILED';
}

/** Runs a benchmark, prints its errors and sets the exit status. */
export async function bench(main) {
  if (loadavg()[0] > 0.5) say(`the machine is not idle (load ${loadavg()[0].toFixed(1)}), so the results will be worse`);
  try {
    await main();
  } catch (error) {
    say(error.stderr || [error.message, error.cause?.message].filter(Boolean).join(': '));
    process.exitCode = 1;
  }
}

/**
 * Measures each in turn, `count` times, so that other load on the machine affects all alike; every other round in reverse, so that
 * what one leaves behind does not always affect the same one. Returns the median of a figure, and of the ratio of two rates, which
 * is computed round by round.
 */
export async function inTurn(count, measures, what = '') {
  const rounds = [];
  for (let n = 1; n <= count; n += 1) {
    const round = {};
    for (const [name, measure] of n % 2 ? Object.entries(measures) : Object.entries(measures).toReversed()) round[name] = await measure();
    rounds.push(round);
    say(`${what}round ${n}: ${Object.keys(measures).map((name) => `${name} ${whole(round[name].rate)}/s`).join(', ')}`);
  }
  return {
    rounds,
    of: (name, figure) => median(rounds.map((round) => round[name][figure])),
    ratio: (name, other) => median(rounds.map((round) => round[name].rate / round[other].rate)),
  };
}

/** Creates a database with the schema of a program on the test server, and replaces an existing one. */
export function makeDatabase(name, program = TOMBOLA) {
  const server = process.env.MIGRATION_DATABASE_URL ?? process.env.DATABASE_URL;
  const url = new URL(server);
  url.pathname = `/bench_${name}`;
  const inServer = (statement) => psql(server, '-c', statement);
  inServer(`DROP DATABASE IF EXISTS bench_${name}`);
  inServer(`CREATE DATABASE bench_${name}`);
  const database = {
    url: url.href,
    sql: (...statements) => psql(url.href, ...statements.flatMap((statement) => ['-c', statement])),
    number: (statement) => Number(psql(url.href, '-c', statement)),
    file: (file, variables = {}) => psql(url.href, ...fileArguments(file, variables)),
    tombola: (...args) => run(program, args, { env: { ...process.env, ...databaseSettings(url.href) } }),
    drop: () => inServer(`DROP DATABASE bench_${name}`),
  };
  database.tombola('migrate');
  return database;
}

const fileArguments = (file, variables) => [...Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]), '-f', `scripts/lab/bench/${file}`];
const psqlArguments = (url, ...args) => ['-XqAt', '-v', 'ON_ERROR_STOP=1', ...args, url];
const psql = (url, ...args) => run('psql', psqlArguments(url, ...args)).trim();

/** Runs a pgbench script and returns the transactions per second. */
export function pgbench({ url }, script, { clients, seconds, variables = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(folder, 'script.sql');
  try {
    writeFileSync(file, script);
    const given = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
    const output = run('pgbench', ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), ...given, '-f', file, url]);
    return Number(/^tps = ([\d.]+)/m.exec(output)[1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs wrk with a script of this folder, and throws if a request fails. Times are in milliseconds. */
export async function wrkWithoutErrors(url, script, { connections, seconds, threads = 2, headers = [], args = [] }) {
  const options = [`-t${threads}`, `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', `scripts/lab/bench/${script}`, ...headers.flatMap((header) => ['-H', header])];
  const { stdout: output } = await promisify(execFile)('wrk', [...options, url, '--', ...args.map(String)]);
  const [answered, microseconds, p50, p99, errors, broken] = /^result ([\d ]+)$/m.exec(output)[1].split(' ').map(Number);
  if (errors > 0 || broken > 0) throw new Error(`${errors} of ${answered} answers were errors, and ${broken} requests failed`);
  return { answered, rate: answered / (microseconds / 1e6), p50: p50 / 1000, p99: p99 / 1000 };
}

/** Describes the date, the machine and the settings of PostgreSQL, with those that are not the same in all benchmarks. */
export function circumstances(name, { sql }, settings = []) {
  const machine = `${cpus().length} cores (${cpus()[0].model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;
  const show = (setting) => sql(`SHOW ${setting}`);
  const shown = ['fsync', 'synchronous_commit', ...settings].map((setting) => `${setting} ${show(setting)}`);
  return `${new Date().toISOString().slice(0, 10)}, \`make bench BENCH=${name}\`: ${machine}, PostgreSQL ${show('server_version')}, ${shown.join(', ')}.`;
}

/** The part of docs/benchmarks.md that a benchmark prints. */
export const section = (title, where, text, ...tables) => [`## ${title}`, '', where, text, '', ...tables].join('\n');

/** A Markdown table; all columns but the first are aligned right. */
export function table(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rules = heads.map((head, column) => (column > 0 && head !== '' ? '---:' : '---'));
  return [line(heads), `|${rules.join('|')}|`, ...rows.map(line), ''].join('\n');
}

/** A table row: the name of a figure, its value, its target, and whether the target is met. */
export const atLeast = (what, value, target, unit) => [what, unit(value), `at least ${unit(target)}`, verdict(value >= target)];
export const atMost = (what, value, limit, unit) => [what, unit(value), `at most ${unit(limit)}`, verdict(value <= limit)];
export const asTimes = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ×`;
export const asMs = (value) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
export const asMb = (value) => `${value.toFixed(1)} MB`;
