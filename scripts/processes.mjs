// Programs that a script starts, waits for and stops, and free ports for them.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const STOP_SECONDS = 20;
/** Systems take the ports of outgoing connections from a range above these. A port of that range could be taken by a connection
 * while the program that listens on it is stopped. */
const [LOWEST, COUNT] = [15_000, 15_000];

/** Free ports of the loopback address, all different: they are held together before any is given back. */
export async function freePorts(count) {
  const held = [];
  while (held.length < count) {
    const probe = createServer().listen(LOWEST + randomInt(COUNT), '127.0.0.1');
    await once(probe, 'listening').then(() => held.push(probe), () => undefined); // somebody else has it
  }
  const ports = held.map((probe) => probe.address().port);
  await Promise.all(held.map((probe) => once(probe.close(), 'close')));
  return ports;
}

export async function until(what, holds, { seconds = 120, pauseMs = 50 } = {}) {
  const deadline = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited too long: ${what}`);
    await delay(pauseMs);
  }
}

export const isRunning = (child) => child.exitCode === null && child.signalCode === null;

/** The URL of a stand-in, which is the first line that it prints. */
export async function urlOf(child) {
  const ended = once(child, 'exit').then(([code]) => { throw new Error(`${child.spawnfile} exited with ${code}`); });
  ended.catch(() => undefined); // later on nobody waits for it
  const [url] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  return url;
}

export async function stop(child, signal = 'SIGTERM') {
  if (child.pid === undefined || !isRunning(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  child.kill('SIGCONT'); // a suspended process could not end
  const late = delay(STOP_SECONDS * 1000, 'late', { ref: false });
  if ((await Promise.race([exited, late])) !== 'late') return;
  child.kill('SIGKILL');
  await exited;
}

/** Processes that each have a log. They are stopped by their ids, newest first. */
export class Processes {
  #children = [];

  constructor(folder) {
    this.logs = join(folder, 'logs');
    mkdirSync(this.logs);
  }

  /** Starts a program. It has a session of its own, so that Ctrl-C reaches only the script, which then stops all in order. */
  start(name, [program, ...args], { env = process.env, output = 'log' } = {}) {
    const log = openSync(join(this.logs, name), 'a');
    const child = spawn(program, args, { env, cwd: '/', detached: true, stdio: ['ignore', output === 'log' ? log : output, log] });
    closeSync(log);
    child.on('error', (error) => console.error(`${name}: ${error.message}`));
    this.#children.push(child);
    return child;
  }

  lastLine(name) {
    return readFileSync(join(this.logs, name), 'utf8').trim().split('\n').at(-1);
  }

  async stopAll() {
    for (const child of this.#children.toReversed()) await stop(child);
  }
}
