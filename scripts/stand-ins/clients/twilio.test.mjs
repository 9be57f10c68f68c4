// Twilio's own client against our stand-in for Twilio: see test.sh.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import twilio from 'twilio';
import { startStandIn } from './kit.mjs';

const ACCOUNT = 'AC0123456789abcdef0123456789abcdef';
const TOKEN = 'fedcba9876543210fedcba9876543210';
const FROM = '+15557654321';
const HOUR = 3_600_000;

let standIn, origin, control, hooks, client;

/** Twilio's way of speaking HTTP, to the stand-in instead. */
class ToStandIn extends twilio.RequestClient {
  request(options) {
    return super.request({ ...options, uri: options.uri.replace('https://api.twilio.com', origin) });
  }
}

const clientWith = (token) => twilio(ACCOUNT, token, { httpClient: new ToStandIn() });

before(async () => {
  const account = ['--account-sid', ACCOUNT, '--auth-token', TOKEN];
  standIn = await startStandIn('twilio-stand-in', (url) => ['--inbound-url', `${url}/inbound`, ...account], '<Response/>');
  ({ origin, control, hooks } = standIn);
  client = clientWith(TOKEN);
});
after(() => standIn.stop());

/** The first calls about this text, once so many have arrived. */
const calls = (sid, count) =>
  standIn.call((arrived) => {
    const all = arrived.map(({ path, headers, body }) => ({ url: hooks + path, params: Object.fromEntries(new URLSearchParams(body)), signature: headers['x-twilio-signature'] }));
    const found = all.filter(({ params }) => params.MessageSid === sid);
    return found.length >= count ? found : undefined;
  });

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

test('whoever says STOP gets no more texts until START, and both are told signed', async () => {
  const to = '+15551230003';
  const send = () => client.messages.create({ to, from: FROM, body: 'Hello' });
  await send();
  const said = async (body) => {
    const { messageSid, answers } = await control('inbound', { from: to, body });
    assert.deepEqual(answers, [{ status: 200, body: '<Response/>' }]);
    const [call] = await calls(messageSid, 1);
    assert.deepEqual([call.params.Body, call.params.From, call.params.To], [body, to, FROM]);
    assert.ok(isSigned(call));
  };
  await said('STOP');
  await assert.rejects(send(), { status: 400, code: 21610 });
  await said('START');
  await send();
});

test('a text that does not arrive says why', async () => {
  const to = '+15551230004';
  await control('numbers', { phoneNumber: to, fate: { undelivered: 30003 } });
  const { sid } = await client.messages.create({ to, from: FROM, body: 'Hello', statusCallback: `${hooks}/status` });
  const [, call] = await calls(sid, 2);
  assert.deepEqual([call.params.MessageStatus, call.params.ErrorCode], ['undelivered', '30003']);
  const { status, errorCode } = await client.messages(sid).fetch();
  assert.deepEqual([status, errorCode], ['undelivered', 30003]);
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
