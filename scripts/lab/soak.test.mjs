import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { loadAtPace, loadFully } from './soak/load.mjs';
import { Recorder } from './soak/recorder.mjs';
import { compare, wrongErrors } from './soak/verdict.mjs';
import { Visitors, connect, send } from './soak/visitors.mjs';

const row = (more) => ({ minutes: 1, rate: 100, errors: {}, p50: 5, p99: 10, memory: 20, connections: 34, textsWaiting: 0, mostTextsWaiting: 300, requestsWaiting: 0, mostRequestsWaiting: 3, processorUs: 40, ...more });
const rowsWith = (last) => [...Array(6).fill(row()), ...Array(2).fill(row(last))];
const notFlat = (rows) => compare(rows).filter(({ isFlat }) => !isFlat).map(({ what }) => what);

test('what stays as it is is flat, and so is what differs only in the first quarter', () => {
  assert.deepEqual(notFlat(rowsWith({})), []);
  assert.deepEqual(notFlat([row({ memory: 90 }), row({ memory: 90 }), ...Array(6).fill(row())]), []);
});

test('memory may grow by a tenth or 3 MB, whichever is more, and p99 by three tenths', () => {
  assert.deepEqual(notFlat(rowsWith({ memory: 23 })), []);
  assert.deepEqual(notFlat(rowsWith({ memory: 23.1 })), ['memory of the server, MB']);
  assert.deepEqual(notFlat(rowsWith({ p99: 13 })), []);
  assert.deepEqual(notFlat(rowsWith({ p99: 14 })), ['p99, ms']);
});

test('connections and queues may not grow', () => {
  assert.deepEqual(notFlat(rowsWith({ connections: 36, textsWaiting: 31, requestsWaiting: 2 })), ['connections to the database', 'texts waiting', 'requests waiting']);
});

test('recorders add up: times and errors', () => {
  const [all, other] = [new Recorder(), new Recorder()];
  all.answered('view', 2);
  other.answered('view', 4);
  other.answered('page', 6);
  for (const recorder of [all, other]) recorder.failed('429 of view: x');
  all.add(other);
  assert.deepEqual(all.errors, { '429 of view: x': 2 });
  assert.deepEqual(all.kinds.map(([kind, { count }]) => [kind, count]), [['view', 2], ['page', 1]]);
  assert.deepEqual([all.all.count, Math.round(all.all.p50), Math.round(all.all.p99)], [3, 4, 6]);
});

test('only 409 and 429 are documented answers', () => {
  assert.deepEqual(wrongErrors({ '429 of view: x': 1, '409 of confirm: y': 2, '503 of view: z': 1 }), ['503 of view: z']);
  assert.deepEqual(wrongErrors({ 'no answer to view: ECONNRESET': 1 }), ['no answer to view: ECONNRESET']);
});

/** A site, and a client of it. */
async function withSite(answer, work) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(`http://127.0.0.1:${server.address().port}`);
  try {
    await work(client);
  } finally {
    await client.destroy();
    server.closeAllConnections();
    server.close();
  }
}

const json = (response, status, value) => {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(body) }).end(body);
};

test('an error is recorded with its code, and a connection that is cut without one', async () => {
  const answer = (request, response) => (request.url === '/cut' ? request.socket.destroy() : json(response, 404, { code: 'not_found' }));
  await withSite(answer, async (client) => {
    const recorder = new Recorder();
    assert.equal(await send(client, recorder, 'view', 'GET', '/a', {}), undefined);
    await send(client, recorder, 'view', 'GET', '/cut', {});
    const [first, second, ...rest] = Object.keys(recorder.errors);
    assert.equal(first, '404 of view: not_found');
    assert.match(second, /^no answer to view: /);
    assert.deepEqual(rest, []);
    assert.equal(recorder.all.count, 1);
  });
});

test('visitors enter before anything else, and then do all that a site offers', async () => {
  let entered = 0;
  const answer = (request, response) => {
    request.resume();
    if (request.url.startsWith('/api/users/register')) return json(response, 201, { user: { id: ++entered, referralCode: 'CDFG3467' } });
    return json(response, 200, { paymentIntentId: 'pi_1' });
  };
  await withSite(answer, async (client) => {
    const recorder = new Recorder();
    const visitors = new Visitors({ site: client, stripe: client, offer: { id: 1, price: 500, entries: 10 }, recorder: () => recorder });
    while (recorder.kinds.length < 7) await visitors.visit();
    assert.deepEqual(recorder.errors, {});
    assert.equal(recorder.all.count, visitors.sent);
    assert.ok(entered > 0);
  });
});

/** Visitors that send two requests in a visit, whose second one waits. */
class TwoRequests {
  sent = 0;

  async visit() {
    this.sent += 1;
    await new Promise(setImmediate);
    this.sent += 1;
  }
}

test('a pace counts the requests of visits that are under way', async () => {
  const visitors = new TwoRequests();
  const started = performance.now();
  await loadAtPace(visitors, 2000, () => visitors.sent >= 1000);
  const rate = visitors.sent / ((performance.now() - started) / 1000);
  assert.ok(rate < 3000, `${rate} requests/s`); // it would be 4000 if they were not
});

test('without a pause more is sent than at a pace', async () => {
  const visitors = new TwoRequests();
  assert.ok((await loadFully(visitors, 0.1)) > 3000);
});
