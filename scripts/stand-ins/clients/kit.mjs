// A stand-in, and a receiver for its calls.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const PATIENCE_MS = 60_000;

/** Starts the stand-in of this name with the arguments that `args(hooks)` returns; `hooks` is the receiver's address, which answers with `answer`. */
export async function startStandIn(name, args, answer = '') {
  const arrived = [];
  const receiver = createServer(async (request, response) => {
    arrived.push({ path: request.url, headers: request.headers, body: await text(request) });
    response.end(answer);
    receiver.emit('arrived');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const hooks = `http://127.0.0.1:${receiver.address().port}`;
  const child = spawn(`${process.env.PROGRAMS}/${name}`, ['--listen', '127.0.0.1:0', ...args(hooks)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [origin] = await once(createInterface(child.stdout), 'line');
  const control = async (path, body) => {
    const response = await fetch(`${origin}/control/${path}`, body && { method: 'POST', body: JSON.stringify(body) });
    return response.json();
  };
  return {
    origin,
    hooks,
    control,
    /** What `find` finds among all calls, once it finds something. */
    async call(find) {
      for (;;) {
        const found = find(arrived);
        if (found) return found;
        await once(receiver, 'arrived', { signal: AbortSignal.timeout(PATIENCE_MS) });
      }
    },
    /** Stops it. Everything that was said in both directions must have matched the provider's schemas. */
    async stop() {
      const { checked, violations } = await control('violations');
      child.kill();
      receiver.close();
      assert.deepEqual({ checked, violations }, { checked: true, violations: [] });
    },
  };
}
