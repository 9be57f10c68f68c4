// The server under test: started on a free port, measured from outside, stopped as an operator would.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const BINARY = 'target/release/tombola';

export async function startServer() {
  const port = await freePort();
  const env = { ...process.env, APP_ENV: 'development', BIND_ADDR: `127.0.0.1:${port}`, RATE_LIMITS: 'off', LOG_FORMAT: 'json', RUST_LOG: 'warn' };
  const started = performance.now();
  const child = spawn(BINARY, ['serve'], { env, stdio: ['ignore', 2, 2] });    // its log is not part of the report
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (performance.now() - started > 30_000) throw new Error('the server is not ready after 30 s');
    await delay(1);
  }
  const startMs = performance.now() - started;
  return {
    url: `http://127.0.0.1:${port}`,
    startMs,
    memory: () => memoryOf(child.pid),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const isReady = (port) =>
  new Promise((resolve) => {
    const request = get({ port, path: '/readyz', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });

/** In megabytes of 10⁶ bytes: resident now, proportionally shared now, and the most ever resident. */
function memoryOf(pid) {
  const kilobytes = (file, name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))[1]);
  const megabytes = (file, name) => (kilobytes(file, name) * 1024) / 1e6;
  return { resident: megabytes('status', 'VmRSS'), shared: megabytes('smaps_rollup', 'Pss'), peak: megabytes('status', 'VmHWM') };
}
