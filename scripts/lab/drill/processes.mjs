// Processes that a rig starts, each with a log of its own. They are stopped by their ids, newest first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const STOP_SECONDS = 20;

export const isRunning = (child) => child.exitCode === null && child.signalCode === null;

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

export class Processes {
  #children = [];

  constructor(folder) {
    this.logs = join(folder, 'logs');
    mkdirSync(this.logs);
  }

  /** Starts a program. It has a session of its own, so that Ctrl-C reaches only the rig, which then stops all in order. */
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
