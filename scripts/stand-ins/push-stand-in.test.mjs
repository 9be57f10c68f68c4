import assert from 'node:assert/strict';
import { createPrivateKey, sign, webcrypto } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startPushService } from './push-stand-in.mjs';
import { base64url, checkVapid, decrypt, fromBase64url, newReceiver, newVapidKeys } from './web-push.mjs';

const { subtle } = webcrypto;

let service;
before(async () => { service = await startPushService(); });
after(() => service.stop());

// The example of RFC 8291, section 5.
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  publicKey: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

const jwk = (publicKey, privateKey) => {
  const point = fromBase64url(publicKey);
  return { kty: 'EC', crv: 'P-256', x: base64url(point.subarray(1, 33)), y: base64url(point.subarray(33)), d: privateKey };
};

async function exampleReceiver() {
  const key = jwk(EXAMPLE.publicKey, EXAMPLE.privateKey);
  const privateKey = await subtle.importKey('jwk', key, { name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']);
  return { privateKey, publicKey: fromBase64url(EXAMPLE.publicKey), auth: fromBase64url(EXAMPLE.auth) };
}

const inSeconds = (seconds) => Math.floor(Date.now() / 1000) + seconds;

/** The header of a sender: `changes` are made to the token before it is signed. */
function authorization(keys, { header = {}, claims = {}, k = keys.publicKey } = {}) {
  const part = (value) => base64url(JSON.stringify(value));
  const head = part({ typ: 'JWT', alg: 'ES256', ...header });
  const signed = `${head}.${part({ aud: service.url, exp: inSeconds(3600), sub: 'mailto:hello@tombola.example', ...claims })}`;
  const key = createPrivateKey({ key: jwk(keys.publicKey, keys.privateKey), format: 'jwk' });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${base64url(signature)}, k=${k}`;
}

/** Encrypts as a sender does, step by step as in RFC 8291, section 3.4. */
async function encrypt(text, keys, { end = [2], recordSize = 4096 } = {}) {
  const sender = await newReceiver();
  const [point, auth] = [fromBase64url(keys.p256dh), fromBase64url(keys.auth)];
  const imported = await subtle.importKey('raw', point, { name: 'ECDH', namedCurve: 'P-256' }, false, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: imported }, sender.privateKey, 256);
  const derive = async (secret, salt, info, bytes) => {
    const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
    return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bytes * 8);
  };
  const secret = await derive(shared, auth, Buffer.concat([Buffer.from('WebPush: info\0'), point, sender.publicKey]), 32);
  const salt = webcrypto.getRandomValues(Buffer.alloc(16));
  const key = await derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const iv = await derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  const record = await subtle.encrypt({ name: 'AES-GCM', iv }, aes, Buffer.concat([Buffer.from(text), Buffer.from(end)]));
  const header = Buffer.alloc(5);
  header.writeUInt32BE(recordSize);
  header[4] = 65;
  return Buffer.concat([salt, header, sender.publicKey, Buffer.from(record)]);
}

const vapid = await newVapidKeys();

async function control(path, body = {}) {
  const response = await fetch(`${service.url}/control/${path}`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, ...(await response.json()) };
}

async function lastMessage() {
  const response = await fetch(`${service.url}/control/messages`);
  return (await response.json()).at(-1);
}

function send(endpoint, body, headers = {}) {
  const usual = { Authorization: authorization(vapid), TTL: '60', Topic: 'drawing-7', Urgency: 'normal', 'Content-Encoding': 'aes128gcm' };
  const all = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
  return fetch(endpoint, { method: 'POST', headers: Object.fromEntries(all), body, redirect: 'manual' });
}

test('the example of RFC 8291 is decrypted', async () => {
  const text = await decrypt(fromBase64url(EXAMPLE.body), await exampleReceiver());
  assert.equal(text.toString(), EXAMPLE.text);
});

test('a body that is changed in any byte is refused', async () => {
  const receiver = await exampleReceiver();
  const body = fromBase64url(EXAMPLE.body);
  for (const [place] of body.entries()) {
    if (place >= 16 && place < 20) continue; // the record size is not authenticated
    const changed = Buffer.from(body);
    changed[place] ^= 1;
    await assert.rejects(decrypt(changed, receiver), { status: 400 }, `byte ${place}`);
  }
  for (const length of [0, 20, 86, 102, body.length - 1]) {
    await assert.rejects(decrypt(body.subarray(0, length), receiver), { status: 400 }, `${length} bytes`);
  }
});

test('padding is taken off, and a record that is not the last one is refused', async () => {
  const receiver = await newReceiver();
  const keys = { p256dh: base64url(receiver.publicKey), auth: base64url(receiver.auth) };
  assert.equal((await decrypt(await encrypt('padded', keys, { end: [2, 0, 0, 0] }), receiver)).toString(), 'padded');
  assert.equal((await decrypt(await encrypt('', keys), receiver)).length, 0);
  for (const end of [[1], [0, 0], []]) {
    await assert.rejects(decrypt(await encrypt(end.length > 1 ? '' : 'text', keys, { end }), receiver), /delimiter/);
  }
  await assert.rejects(decrypt(await encrypt('text', keys, { recordSize: 21 }), receiver), /record size/);
  assert.equal((await decrypt(await encrypt('text', keys, { recordSize: 22 }), receiver)).toString(), 'text');
});

test('a token of the sender passes, and tells who it is', async () => {
  const checked = await checkVapid(authorization(vapid), { origin: service.url, now: Date.now() });
  assert.equal(checked.publicKey, vapid.publicKey);
  assert.equal(checked.claims.sub, 'mailto:hello@tombola.example');
});

test('every token that is wrong in one thing is refused', async () => {
  const other = await newVapidKeys();
  const good = authorization(vapid);
  const last = /[^.]+(?=, k=)/;
  const refused = {
    'Authorization is missing': [undefined, ''],
    'the scheme is not vapid': ['WebPush token', `Bearer ${good}`, 'vapid'],
    't or k is missing': ['vapid t=a.b.c', `vapid k=${vapid.publicKey}`],
    'the token is no JWT': [`vapid t=a.b, k=${vapid.publicKey}`, `vapid t=a.b.c, k=${vapid.publicKey}`, `vapid t=MQ.MQ.c, k=${vapid.publicKey}`],
    'the token is not signed with ES256': [authorization(vapid, { header: { alg: 'none' } })],
    'k is no public key of P-256': [authorization(vapid, { k: 'x' }), authorization(vapid, { k: base64url(Buffer.alloc(65, 4)) })],
    'k did not sign the token': [
      authorization(vapid, { k: other.publicKey }),
      good.replace(last, base64url(Buffer.alloc(64, 1))),
      good.replace(last, ''),
      good.replace(last, '$'),
    ],
    'aud is not the origin of the push service': [
      authorization(vapid, { claims: { aud: 'https://fcm.googleapis.com' } }),
      authorization(vapid, { claims: { aud: `${service.url}/` } }),
      authorization(vapid, { claims: { aud: undefined } }),
    ],
    'exp is no number of seconds': [authorization(vapid, { claims: { exp: undefined } }), authorization(vapid, { claims: { exp: `${inSeconds(60)}` } })],
    'the token has expired': [authorization(vapid, { claims: { exp: inSeconds(-1) } })],
    'exp is more than 24 hours ahead': [authorization(vapid, { claims: { exp: inSeconds(24 * 3600 + 60) } })],
    'sub is neither mailto: nor https:': [
      authorization(vapid, { claims: { sub: undefined } }),
      authorization(vapid, { claims: { sub: 'hello@tombola.example' } }),
      authorization(vapid, { claims: { sub: 'http://tombola.example' } }),
    ],
  };
  for (const [message, headers] of Object.entries(refused)) {
    for (const header of headers) {
      await assert.rejects(checkVapid(header, { origin: service.url, now: Date.now() }), { message }, `${message}: ${header}`);
    }
  }
});

test('a message arrives decrypted, with what its headers say', async () => {
  const { id, endpoint, keys } = await control('subscriptions', { applicationServerKey: vapid.publicKey });
  assert.equal(endpoint, `${service.url}/push/${id}`);
  const response = await send(endpoint, await encrypt('{"title":"Größe"}', keys));
  assert.equal(response.status, 201);
  assert.match(response.headers.get('location'), /^http:\/\/127\.0\.0\.1:\d+\/messages\/\d+$/);
  assert.deepEqual(await lastMessage(), {
    subscription: id,
    topic: 'drawing-7',
    ttl: 60,
    urgency: 'normal',
    vapid: { sub: 'mailto:hello@tombola.example', aud: service.url },
    payload: '{"title":"Größe"}',
    status: 201,
  });
});

test('each message that is wrong in one thing is refused, and says why', async () => {
  const { endpoint, keys } = await control('subscriptions');
  const body = await encrypt('{}', keys);
  const stranger = await control('subscriptions');
  for (const [headers, content, status, reason] of [
    [{ Authorization: undefined }, body, 401, /missing/],
    [{ Authorization: authorization(vapid, { claims: { aud: 'https://x' } }) }, body, 403, /aud/],
    [{ TTL: undefined }, body, 400, /TTL/],
    [{ TTL: '-1' }, body, 400, /TTL/],
    [{ Topic: 'a'.repeat(33) }, body, 400, /Topic/],
    [{ Topic: 'a b' }, body, 400, /Topic/],
    [{ Urgency: 'now' }, body, 400, /Urgency/],
    [{ 'Content-Encoding': undefined }, body, 400, /Content-Encoding/],
    [{ 'Content-Encoding': 'aesgcm' }, body, 400, /Content-Encoding/],
    [{}, Buffer.alloc(4097), 413, /4096/],
    [{}, await encrypt('{}', stranger.keys), 400, /cannot be decrypted/],
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
  const { endpoint, keys } = await control('subscriptions', { applicationServerKey: (await newVapidKeys()).publicKey });
  assert.equal((await send(endpoint, await encrypt('{}', keys))).status, 403);
  assert.match((await lastMessage()).reason, /another key/);
});

test('an unknown subscription gets 404, an ended one 410', async () => {
  const { id, endpoint, keys } = await control('subscriptions');
  const body = await encrypt('{}', keys);
  assert.equal((await send(`${service.url}/push/none`, body)).status, 404);
  assert.equal((await control(`subscriptions/${id}/end`)).status, 200);
  assert.equal((await send(endpoint, body)).status, 410);
  assert.equal((await control('subscriptions/none/end')).status, 404);
  assert.equal((await control('nothing')).status, 404);
});

test('planned failures happen to the next messages, in their order', async () => {
  const { endpoint, keys } = await control('subscriptions');
  const body = await encrypt('{}', keys);
  await control('failures', { status: 429, retryAfter: 7 });
  await control('failures', { status: 503, retryAfter: 'Thu, 01 Jan 2026 00:00:00 GMT', count: 2 });
  const answers = [];
  for (let index = 0; index < 4; index += 1) {
    const response = await send(endpoint, body);
    answers.push([response.status, response.headers.get('retry-after')]);
  }
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  assert.deepEqual(answers, [[429, '7'], [503, date], [503, date], [201, null]]);
  for (const wrong of [{}, { status: 201 }, { status: 600 }, { status: 500, count: 0 }]) {
    assert.equal((await control('failures', wrong)).status, 400);
  }
});
