// Twilio's own client against our stand-in for Twilio: see test.sh.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import twilio from 'twilio';
import { urlOf } from '../../processes.mjs';

const ACCOUNT = 'AC0123456789abcdef0123456789abcdef';
const TOKEN = 'fedcba9876543210fedcba9876543210';
const FROM = '+15557654321';
const HOUR = 3_600_000;

const PATIENCE_MS = 60_000;

let standIn, origin, hooks, client;
/** The calls of the stand-in. */
const arrived = [];
const receiver = createServer(async (request, response) => {
  arrived.push({ path: request.url, headers: request.headers, body: await text(request) });
  response.end();
  receiver.emit('arrived');
});

/** Twilio's way of speaking HTTP, to the stand-in instead. */
class ToStandIn extends twilio.RequestClient {
  request(options) {
    return super.request({ ...options, uri: options.uri.replace('https://api.twilio.com', origin) });
  }
}

const clientWith = (token) => twilio(ACCOUNT, token, { httpClient: new ToStandIn() });

before(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  hooks = `http://127.0.0.1:${receiver.address().port}`;
  const args = ['--listen', '127.0.0.1:0', '--account-sid', ACCOUNT, '--auth-token', TOKEN];
  standIn = spawn(`${process.env.PROGRAMS}/twilio-stand-in`, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  origin = await urlOf(standIn);
  client = clientWith(TOKEN);
});
after(async () => {
  const { checked, violations } = await control('violations');
  standIn.kill();
  receiver.close();
  // Everything that was said in both directions must have matched Twilio's schemas.
  assert.deepEqual({ checked, violations }, { checked: true, violations: [] });
});

async function control(path, body) {
  const response = await fetch(`${origin}/control/${path}`, body && { method: 'POST', body: JSON.stringify(body) });
  return response.json();
}

/** The first calls about this text, once so many have arrived. */
async function calls(sid, count) {
  for (;;) {
    const all = arrived.map(({ path, headers, body }) => ({ url: hooks + path, params: Object.fromEntries(new URLSearchParams(body)), signature: headers['x-twilio-signature'] }));
    const found = all.filter(({ params }) => params.MessageSid === sid);
    if (found.length >= count) return found;
    await once(receiver, 'arrived', { signal: AbortSignal.timeout(PATIENCE_MS) });
  }
}

const isSigned = ({ url, params, signature }, token = TOKEN) => twilio.validateRequest(token, signature, url, params);

test('a text is taken, carried and looked at, and signed callbacks tell of it', async () => {
  const to = '+15551230001';
  const body = 'Your planter & more: https://tombola.example/planter/garden-1 – Grüße 🎉';
  const created = await client.messages.create({ to, from: FROM, body, statusCallback: `${hooks}/status?text=7` });
  assert.equal(created.status, 'queued');
  assert.deepEqual([created.to, created.from, created.body, created.accountSid], [to, FROM, body, ACCOUNT]);
  assert.ok(Math.abs(Date.now() - created.dateCreated.getTime()) < HOUR);

  const told = await calls(created.sid, 2);
  assert.deepEqual(told.map(({ params }) => params.MessageStatus), ['sent', 'delivered']);
  for (const call of told) {
    assert.ok(isSigned(call));
    assert.ok(!isSigned(call, TOKEN.replace('f', '0')));
    assert.ok(!isSigned({ ...call, params: { ...call.params, MessageStatus: 'failed' } }));
  }

  const fetched = await client.messages(created.sid).fetch();
  assert.equal(fetched.status, 'delivered');
  assert.ok(fetched.dateSent.getTime() >= fetched.dateCreated.getTime());
});

test('texts are listed by number and by date, in pages, the newest first', async () => {
  const to = '+15551230002';
  const sids = [];
  for (const body of ['1', '2', '3']) sids.unshift((await client.messages.create({ to, from: FROM, body, statusCallback: `${hooks}/status` })).sid);
  await Promise.all(sids.map((sid) => calls(sid, 2)));

  const list = async (filter) => (await client.messages.list(filter)).map(({ sid }) => sid);
  const [earlier, later] = [new Date(Date.now() - HOUR), new Date(Date.now() + HOUR)];
  assert.deepEqual(await list({ to }), sids);
  assert.deepEqual(await list({ to, from: FROM, pageSize: 1 }), sids);
  assert.deepEqual(await list({ to, pageSize: 2, limit: 2 }), sids.slice(0, 2));
  assert.deepEqual(await list({ to, from: to }), []);
  assert.deepEqual(await list({ to, dateSentAfter: earlier, dateSentBefore: later }), sids);
  assert.deepEqual(await list({ to, dateSentAfter: later }), []);
  assert.deepEqual(await list({ to, dateSentBefore: earlier }), []);
});

test('what Twilio would refuse, the stand-in refuses', async () => {
  const create = (change) => client.messages.create({ to: '+15551230005', from: FROM, body: 'Hello', ...change });
  await assert.rejects(create({ to: '+15005550001' }), { status: 400, code: 21211 });
  await assert.rejects(create({ body: 'x'.repeat(1601) }), { status: 400, code: 21617 });
  await assert.rejects(client.messages('SM00000000000000000000000000000000').fetch(), { status: 404, code: 20404 });
  await assert.rejects(clientWith('0'.repeat(32)).messages.list(), { status: 401, code: 20003 });
  await control('failures', { kind: 'tooMany' });
  await assert.rejects(create(), { status: 429, code: 20429 });
});

test('an account can be looked at', async () => {
  const { sid, status } = await client.api.v2010.accounts(ACCOUNT).fetch();
  assert.deepEqual([sid, status], [ACCOUNT, 'active']);
});
