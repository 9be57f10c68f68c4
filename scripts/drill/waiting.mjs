// Free ports, and waiting for a condition.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Free ports of the loopback address, all different: they are held together before any is given back. */
export async function freePorts(count) {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => probe.address().port);
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}

export async function until(what, holds, seconds = 120) {
  const deadline = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited too long: ${what}`);
    await delay(50);
  }
}
