// What the push service refuses. That it takes the messages of our server is what frontend/e2e/push.spec.ts tests.
import assert from 'node:assert/strict';
import { createECDH, createPrivateKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startPushService } from './push-stand-in.mjs';
import { checkVapid, decrypt, ece, jose, newReceiver, newVapidKeys } from './web-push.mjs';

let service;
before(async () => { service = await startPushService(); });
after(() => service.stop());

const vapid = newVapidKeys();
const inSeconds = (seconds) => Math.floor(Date.now() / 1000) + seconds;

/** The header of a sender, whose token has these claims. */
async function authorization({ keys = vapid, k = keys.publicKey, ...changed } = {}) {
  const point = Buffer.from(keys.publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: keys.privateKey }, format: 'jwk' });
  const claims = { aud: service.url, exp: inSeconds(3600), sub: 'mailto:hello@tombola.example', ...changed };
  return `vapid t=${await new jose.SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(key)}, k=${k}`;
}

/** Encrypts as a sender does. */
function encrypt(text, { p256dh, auth }, options = {}) {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  return ece.encrypt(Buffer.from(text), { version: 'aes128gcm', privateKey, dh: p256dh, authSecret: auth, ...options });
}

async function control(path, body = {}) {
  const response = await fetch(`${service.url}/control/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, ...(await response.json()) };
}

async function lastMessage() {
  const response = await fetch(`${service.url}/control/messages`);
  return (await response.json()).at(-1);
}

async function send(endpoint, body, headers = {}) {
  const usual = { Authorization: await authorization(), TTL: '60', Topic: 'drawing-7', Urgency: 'normal', 'Content-Encoding': 'aes128gcm' };
  const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
  return fetch(endpoint, { method: 'POST', headers: Object.fromEntries(all), body, redirect: 'manual' });
}

test('a body is decrypted if it is whole and has one record', () => {
  const receiver = newReceiver();
  const keys = { p256dh: receiver.publicKey, auth: receiver.auth };
  assert.equal(decrypt(encrypt('text', keys), receiver).toString(), 'text');
  assert.equal(decrypt(encrypt('text', keys, { pad: 3 }), receiver).toString(), 'text');
  assert.throws(() => decrypt(encrypt('text', keys, { rs: 21 }), receiver), { status: 400, message: /record size/ });
  const body = encrypt('text', keys);
  for (const length of [0, 20, 86, 102, body.length - 1]) assert.throws(() => decrypt(body.subarray(0, length), receiver), { status: 400 });
  assert.throws(() => decrypt(body, newReceiver()), { status: 400, message: /cannot be decrypted/ });
});

test('every token that is wrong in one thing is refused', async () => {
  const good = await authorization();
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;
  for (const [reason, ...headers] of [
    [/Authorization is missing/, undefined, ''],
    [/the scheme is not vapid/, 'WebPush token', `Bearer ${good}`, 'vapid'],
    [/t or k is missing/, 'vapid t=a.b.c', `vapid k=${vapid.publicKey}`],
    [/JW[ST]/, `vapid t=a.b, k=${vapid.publicKey}`, `vapid t=a.b.c, k=${vapid.publicKey}`],
    [/alg/i, `vapid t=${unsigned}, k=${vapid.publicKey}`],
    [/k is no public key/, await authorization({ k: 'x' }), await authorization({ k: Buffer.alloc(65, 4).toString('base64url') })],
    [/signature/, await authorization({ k: newVapidKeys().publicKey }), good.replace(/[^.]+(?=, k=)/, 'A'.repeat(86)), good.replace(/[^.]+(?=, k=)/, '')],
    [/aud/, await authorization({ aud: 'https://fcm.googleapis.com' }), await authorization({ aud: `${service.url}/` }), await authorization({ aud: undefined })],
    [/exp/, await authorization({ exp: undefined }), await authorization({ exp: `${inSeconds(60)}` }), await authorization({ exp: inSeconds(-1) })],
    [/24 hours/, await authorization({ exp: inSeconds(24 * 3600 + 60) })],
    [/sub/, await authorization({ sub: undefined }), await authorization({ sub: 'hello@tombola.example' }), await authorization({ sub: 'http://tombola.example' })],
  ]) {
    for (const header of headers) await assert.rejects(checkVapid(header, service.url), { message: reason }, `${reason}: ${header}`);
  }
});

test('each message that is wrong in one thing is refused, and says why', async () => {
  const { endpoint, keys } = await control('subscriptions');
  const body = encrypt('{}', keys);
  const stranger = await control('subscriptions');
  for (const [headers, content, status, reason] of [
    [{ Authorization: undefined }, body, 401, /missing/],
    [{ Authorization: await authorization({ aud: 'https://x' }) }, body, 403, /aud/],
    [{ TTL: undefined }, body, 400, /TTL/],
    [{ TTL: '-1' }, body, 400, /TTL/],
    [{ Topic: 'a'.repeat(33) }, body, 400, /Topic/],
    [{ Topic: 'a b' }, body, 400, /Topic/],
    [{ Urgency: 'now' }, body, 400, /Urgency/],
    [{ 'Content-Encoding': undefined }, body, 400, /Content-Encoding/],
    [{ 'Content-Encoding': 'aesgcm' }, body, 400, /Content-Encoding/],
    [{}, Buffer.alloc(4097), 413, /4096/],
    [{}, encrypt('{}', stranger.keys), 400, /cannot be decrypted/],
  ]) {
    assert.equal((await send(endpoint, content, headers)).status, status, String(reason));
    const message = await lastMessage();
    assert.equal(message.status, status);
    assert.match(message.reason, reason);
    assert.equal(message.payload, undefined);
  }
  assert.equal((await send(endpoint, body, { Topic: undefined, Urgency: undefined })).status, 201);
});

test('only the owner of the key that subscribed may send', async () => {
  const { endpoint, keys } = await control('subscriptions', { applicationServerKey: newVapidKeys().publicKey });
  assert.equal((await send(endpoint, encrypt('{}', keys))).status, 403);
  assert.match((await lastMessage()).reason, /another key/);
});
