import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import pg from 'pg';

/** Who may sign in at /admin. */
export const staff = { username: 'staff', password: 'correct horse battery staple' };

/** The program. */
export const tombola = process.env.TOMBOLA_BIN ?? '../target/debug/tombola';

/** Playwright's global setup: the server that most tests share. */
export default async function setup() {
  const server = await freshServer();
  process.env.E2E_ORIGIN = server.origin;
  process.env.E2E_DATABASE_URL = server.databaseUrl;
  return server.stop;
}

/** A database of its own, gone with `drop`. */
export async function freshDatabase() {
  const admin = process.env.MIGRATION_DATABASE_URL ?? process.env.DATABASE_URL;
  if (!admin)
    throw new Error('DATABASE_URL names the server on which the tests make their database');
  const name = `tombola_e2e_${randomBytes(6).toString('hex')}`;
  await onDatabase(admin, `CREATE DATABASE ${name}`);
  const drop = () => onDatabase(admin, `DROP DATABASE ${name} WITH (FORCE)`);
  return { databaseUrl: withDatabase(admin, name), drop };
}

/** The settings of a server on this database: its role may do less than the owner of the tables, which `databaseUrl` names. */
export function onThisDatabase(databaseUrl: string): Record<string, string> {
  const { DATABASE_URL: role, MIGRATION_DATABASE_URL: owner } = process.env;
  if (!role || !owner) return { DATABASE_URL: databaseUrl };
  const name = new URL(databaseUrl).pathname.slice(1);
  return { DATABASE_URL: withDatabase(role, name), MIGRATION_DATABASE_URL: databaseUrl };
}

/** A database of its own and the real server on it, both gone with `stop`. */
export async function freshServer(settings: Record<string, string> = {}) {
  const { databaseUrl, drop } = await freshDatabase();
  try {
    const server = await startServer({ ...onThisDatabase(databaseUrl), ...settings });
    const stop = async () => {
      await server.stop();
      await drop();
    };
    return { origin: server.origin, databaseUrl, stop };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** The real server, ready, with these settings besides the usual ones. */
export async function startServer(settings: Record<string, string>) {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${port}`;
  const server = spawnServer({
    BIND_ADDR: `127.0.0.1:${port}`,
    METRICS_ADDR: `127.0.0.1:${metricsPort}`,
    PUBLIC_ORIGIN: origin,
    APP_ENV: 'development',
    RATE_LIMITS: 'off',
    DRAIN_SECONDS: '0',
    CLIENT_DIR: resolve('dist'),
    ADMIN_USERNAME: staff.username,
    ADMIN_PASSWORD: staff.password,
    ...settings,
  });
  try {
    await ready(server, origin);
  } catch (error) {
    await stop(server);
    throw error;
  }
  return { origin, stop: () => stop(server) };
}

function spawnServer(settings: Record<string, string>): ChildProcess {
  const binary = resolve(tombola);
  mkdirSync('test-results', { recursive: true });
  const log = createWriteStream('test-results/server.log', { flags: 'a' });
  const { PATH, HOME, TMPDIR } = process.env;
  // Nothing but these: a developer's own settings must not change what is tested.
  const env = { PATH, HOME, TMPDIR, ...settings };
  const server = spawn(binary, ['serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  server.stdout.pipe(log);
  server.stderr.pipe(log);
  return server;
}

async function ready(server: ChildProcess, origin: string) {
  const failed = once(server, 'error').then(([error]) => Promise.reject(error as Error));
  const exited = once(server, 'exit').then(([code]) =>
    Promise.reject(new Error(`the server stopped (${code}): see test-results/server.log`)),
  );
  const deadline = Date.now() + 30_000;
  const answering = async () => {
    while (Date.now() < deadline) {
      const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((next) => setTimeout(next, 50));
    }
    throw new Error('the server was not ready within 30 s: see test-results/server.log');
  };
  await Promise.race([answering(), failed, exited]);
  failed.catch(() => undefined);
  exited.catch(() => undefined);
}

async function stop(server: ChildProcess) {
  if (server.exitCode !== null || server.pid === undefined) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
}

async function onDatabase(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The same server, another database: only the path of the URL changes, its socket stays. */
function withDatabase(url: string, name: string): string {
  const [before = '', query] = url.split('?');
  return `${before.replace(/\/[^/]*$/, `/${name}`)}${query ? `?${query}` : ''}`;
}

/** Below the ports that systems give to connections, of which one could take it before the server does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
