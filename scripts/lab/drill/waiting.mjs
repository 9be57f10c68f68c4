// Free ports, and waiting for a condition.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

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

export async function until(what, holds, seconds = 120) {
  const deadline = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited too long: ${what}`);
    await delay(50);
  }
}
