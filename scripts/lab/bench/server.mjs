// Starts a server on a free port, measures its memory, and stops it with SIGTERM.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts, isRunning, stop, until } from '../../processes.mjs';
import { run } from './tools.mjs';

export const TOMBOLA = 'target/release/tombola';

/** The administrator of every server under test. */
export const ADMIN = { username: 'admin', password: 'only-for-the-benchmark' };

/** The password as a hash, as in production. With ADMIN_PASSWORD the server hashes at the start, and keeps 19 MB for it. */
export const hashedPassword = () => ({ ADMIN_PASSWORD: '', ADMIN_PASSWORD_HASH: run(TOMBOLA, ['admin', 'hash-password'], { input: `${ADMIN.password}\n`, stdio: 'pipe' }).trim() });

/** The database with the role that the program runs as, and with the owner of its tables, which the benchmarks use. */
export function databaseSettings(url) {
  const { DATABASE_URL: role, MIGRATION_DATABASE_URL: owner } = process.env;
  if (!owner) return { DATABASE_URL: url };
  const server = new URL(role);
  server.pathname = new URL(url).pathname;
  return { DATABASE_URL: server.href, MIGRATION_DATABASE_URL: url };
}

/**
 * Starts the program, or another build of it, on this database with additional variables, and waits until it is at rest: after
 * the start it compresses its pages for about three seconds, which would be a part of what is measured. `restMs` is the processor
 * time that this took.
 */
export async function startServer({ url }, variables = {}, program = TOMBOLA, port = undefined) {
  const settings = { APP_ENV: 'development', RATE_LIMITS: 'off', DRAIN_SECONDS: '0', LOG_FORMAT: 'json', RUST_LOG: 'error', ADMIN_USERNAME: ADMIN.username, ADMIN_PASSWORD: ADMIN.password };
  const server = await start([program, 'serve'], '/readyz', (port) => ({ ...settings, BIND_ADDR: `127.0.0.1:${port}`, ...databaseSettings(url), ...variables }), port);
  const before = server.processorMs();
  await atRest(server.pid);
  return { ...server, restMs: server.processorMs() - before };
}

/** Works with a server on this database, so that no other server runs. */
export async function withServer(database, settings, work, program = TOMBOLA) {
  const server = await startServer(database, settings, program);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** Waits until a process uses next to no processor time, and at most 15 s: it may have work that takes longer. */
async function atRest(pid) {
  const ends = performance.now() + 15_000;
  let before;
  do {
    before = processorTicks(pid);
    await delay(500);
  } while (processorTicks(pid) - before > 1 && performance.now() < ends);
}

/** The processor time that a process has used, in hundredths of a second. */
function processorTicks(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13);
  return Number(user) + Number(system);
}

/** Every call uses a new connection: a kept one may have been closed while psql blocked this process. */
const HEADERS = { Connection: 'close', 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0 Firefox/143.0' };

/** Calls the API and throws on an error status. */
export async function call(server, path, { token, body, headers, method = body ? 'POST' : 'GET' } = {}) {
  const all = { ...HEADERS, ...(token && { Authorization: `Bearer ${token}` }), ...headers };
  const response = await fetch(server.url + path, { method, headers: all, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${answer.error}`);
  return answer;
}

export const signIn = async (server) => (await call(server, '/api/admin/login', { body: ADMIN })).sessionToken;

/** Starts a program that listens on this port or any free one, as `environment(port)` tells it, and waits until `path` answers with 200. */
export async function start([command, ...args], path, environment, wanted = undefined) {
  const port = wanted ?? (await freePorts(1))[0];
  const started = performance.now();
  const child = spawn(command, args, { env: { ...process.env, ...environment(port) }, stdio: ['ignore', 2, 2] });    // keep its log out of the report
  const url = `http://127.0.0.1:${port}`;
  const isReady = () => {
    if (!isRunning(child)) throw new Error(`${command} exited with ${child.exitCode}`);
    return fetch(url + path, { headers: { Connection: 'close' } }).then((answer) => answer.ok, () => false);
  };
  await until(`${command} is ready`, isReady, { seconds: 30, pauseMs: 1 });
  const startMs = performance.now() - started;
  return {
    url,
    startMs,
    pid: child.pid,
    processorMs: () => processorTicks(child.pid) * 10,
    memory: () => memoryOf(child.pid),
    forgetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'),
    stop: () => stop(child),
  };
}

/** In megabytes (10⁶ bytes): the resident set, the proportional set, and the peak of the resident set. */
function memoryOf(pid) {
  const kilobytes = (file, name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))[1]);
  const megabytes = (file, name) => (kilobytes(file, name) * 1024) / 1e6;
  return { resident: megabytes('status', 'VmRSS'), shared: megabytes('smaps_rollup', 'Pss'), peak: megabytes('status', 'VmHWM') };
}
