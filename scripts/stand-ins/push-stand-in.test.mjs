// What the push service refuses. That it takes the messages of our server is what frontend/e2e/push.spec.ts tests.
import assert from 'node:assert/strict';
import { createECDH, createPrivateKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startPushService } from './push-stand-in.mjs';
import { ece, jose, newVapidKeys } from './web-push.mjs';

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

test('each message that is wrong in one thing is refused, and says why', async () => {
  const { endpoint, keys } = await control('subscriptions');
  const stranger = await control('subscriptions');
  const [good, body] = [await authorization(), encrypt('{}', keys)];
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;
  for (const [reason, status, headers, content = body] of [
    [/Authorization is missing/, 401, { Authorization: undefined }],
    ...[
      [/the scheme is not vapid/, 'WebPush token', `Bearer ${good}`, 'vapid'],
      [/t or k is missing/, 'vapid t=a.b.c', `vapid k=${vapid.publicKey}`],
      [/JW[ST]/, `vapid t=a.b, k=${vapid.publicKey}`],
      [/alg/i, `vapid t=${unsigned}, k=${vapid.publicKey}`],
      [/k is no public key/, await authorization({ k: 'x' }), await authorization({ k: Buffer.alloc(65, 4).toString('base64url') })],
      [/signature/, await authorization({ k: newVapidKeys().publicKey }), good.replace(/[^.]+(?=, k=)/, 'A'.repeat(86))],
      [/aud/, await authorization({ aud: 'https://fcm.googleapis.com' }), await authorization({ aud: `${service.url}/` }), await authorization({ aud: undefined })],
      [/exp/, await authorization({ exp: undefined }), await authorization({ exp: `${inSeconds(60)}` }), await authorization({ exp: inSeconds(-1) })],
      [/24 hours/, await authorization({ exp: inSeconds(24 * 3600 + 60) })],
      [/sub/, await authorization({ sub: undefined }), await authorization({ sub: 'hello@tombola.example' }), await authorization({ sub: 'http://tombola.example' })],
    ].flatMap(([reason, ...headers]) => headers.map((Authorization) => [reason, 403, { Authorization }])),
    [/TTL/, 400, { TTL: undefined }],
    [/TTL/, 400, { TTL: '-1' }],
    [/Topic/, 400, { Topic: 'a'.repeat(33) }],
    [/Topic/, 400, { Topic: 'a b' }],
    [/Urgency/, 400, { Urgency: 'now' }],
    [/Content-Encoding/, 400, { 'Content-Encoding': undefined }],
    [/Content-Encoding/, 400, { 'Content-Encoding': 'aesgcm' }],
    [/4096/, 413, {}, Buffer.alloc(4097)],
    [/cannot be decrypted/, 400, {}, encrypt('{}', stranger.keys)],
    [/record size/, 400, {}, encrypt('text', keys, { rs: 21 })],
    ...[0, 20, 86, 102].map((length) => [/cannot be decrypted/, 400, {}, body.subarray(0, length)]),
  ]) {
    assert.equal((await send(endpoint, content, headers)).status, status, `${reason} ${JSON.stringify(headers)}`);
    const message = await lastMessage();
    assert.equal(message.status, status);
    assert.match(message.reason, reason);
    assert.equal(message.payload, undefined);
  }
  assert.equal((await send(endpoint, encrypt('{}', keys, { pad: 3 }), { Topic: undefined, Urgency: undefined })).status, 201);
});

test('only the owner of the key that subscribed may send', async () => {
  const { endpoint, keys } = await control('subscriptions', { applicationServerKey: newVapidKeys().publicKey });
  assert.equal((await send(endpoint, encrypt('{}', keys))).status, 403);
  assert.match((await lastMessage()).reason, /another key/);
});
