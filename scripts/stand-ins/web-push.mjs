// What a push service and a browser do with a message: they check who sent it (VAPID, RFC 8292) and decrypt it (RFC 8291,
// RFC 8188). It shares no code with crates/push-web, so that each of them tests the other.
import { webcrypto } from 'node:crypto';

const { subtle } = webcrypto;
const CURVE = 'P-256';
const POINT_BYTES = 65;
const SECRET_BYTES = 16;
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** Salt, record size, and the length of the sender's key. */
const HEADER_BYTES = SALT_BYTES + 4 + 1;
const LAST_RECORD = 2;
const MAX_LIFE_SECONDS = 24 * 60 * 60;

/** The most bytes of a body that every push service takes (RFC 8030, section 7.2). */
export const MAX_BODY_BYTES = 4096;

/** A message that is refused, with the status and the reason. */
export class Refusal extends Error {
  constructor(status, reason) {
    super(reason);
    this.status = status;
  }
}

export const base64url = (bytes) => Buffer.from(bytes).toString('base64url');

/** The bytes of a text in base64url without padding; undefined if it is not that. */
export function fromBase64url(text) {
  const bytes = Buffer.from(String(text), 'base64url');
  return base64url(bytes) === text ? bytes : undefined;
}

/** A key pair for VAPID: the public key as a point of 65 bytes, the private one as 32 bytes, both in base64url. */
export async function newVapidKeys() {
  const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: CURVE }, true, ['sign', 'verify']);
  const { d } = await subtle.exportKey('jwk', pair.privateKey);
  return { publicKey: base64url(await subtle.exportKey('raw', pair.publicKey)), privateKey: d };
}

/** What a browser makes for a subscription: a key pair and a secret. */
export async function newReceiver() {
  const pair = await subtle.generateKey({ name: 'ECDH', namedCurve: CURVE }, true, ['deriveBits']);
  const publicKey = Buffer.from(await subtle.exportKey('raw', pair.publicKey));
  return { privateKey: pair.privateKey, publicKey, auth: webcrypto.getRandomValues(Buffer.alloc(SECRET_BYTES)) };
}

/**
 * Checks the header `Authorization` of a request to a push service at `origin`. `now` is in milliseconds. Returns the public
 * key of the sender, in base64url, and the token's claims; throws a Refusal.
 */
export async function checkVapid(authorization, { origin, now }) {
  if (!authorization) throw new Refusal(401, 'Authorization is missing');
  const { t: token, k: publicKey } = vapidParameters(authorization);
  const parts = token.split('.');
  if (parts.length !== 3) throw new Refusal(403, 'the token is no JWT');
  const [header, claims] = parts.slice(0, 2).map(jsonOf);
  if (header.alg !== 'ES256') throw new Refusal(403, 'the token is not signed with ES256');
  await checkSignature(parts, publicKey);
  checkClaims(claims, { origin, now });
  return { publicKey, claims };
}

function vapidParameters(authorization) {
  const [, list] = /^vapid +(.+)$/i.exec(authorization) ?? [];
  if (!list) throw new Refusal(403, 'the scheme is not vapid');
  const parameters = Object.fromEntries(list.split(',').map((parameter) => parameter.trim().split(/=(.*)/s, 2)));
  if (!parameters.t || !parameters.k) throw new Refusal(403, 't or k is missing');
  return parameters;
}

function jsonOf(part) {
  try {
    const value = JSON.parse(fromBase64url(part));
    if (value && typeof value === 'object') return value;
  } catch {
    // The refusal below says it.
  }
  throw new Refusal(403, 'the token is no JWT');
}

async function checkSignature([header, claims, signature], publicKey) {
  const key = await importPoint(fromBase64url(publicKey), 'ECDSA', ['verify']);
  if (!key) throw new Refusal(403, 'k is no public key of P-256');
  const bytes = fromBase64url(signature) ?? Buffer.alloc(0);
  const isSigned = await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes, Buffer.from(`${header}.${claims}`));
  if (!isSigned) throw new Refusal(403, 'k did not sign the token');
}

function checkClaims({ aud, exp, sub }, { origin, now }) {
  const secondsLeft = exp - now / 1000;
  if (aud !== origin) throw new Refusal(403, 'aud is not the origin of the push service');
  if (!Number.isInteger(exp)) throw new Refusal(403, 'exp is no number of seconds');
  if (secondsLeft <= 0) throw new Refusal(403, 'the token has expired');
  if (secondsLeft > MAX_LIFE_SECONDS) throw new Refusal(403, 'exp is more than 24 hours ahead');
  if (!/^(mailto:.+@.+|https:\/\/.+)$/.test(sub)) throw new Refusal(403, 'sub is neither mailto: nor https:');
}

/** Decrypts the body of a message for this receiver. Throws a Refusal. */
export async function decrypt(body, receiver) {
  const { salt, recordSize, sender, record } = split(body);
  // RFC 8291, section 4: one record, and its size is greater than what it holds.
  if (record.length >= recordSize) throw new Refusal(400, 'the record is not smaller than the record size');
  if (record.length <= TAG_BYTES) throw new Refusal(400, 'the record is empty');
  const senderKey = await importPoint(sender, 'ECDH', []);
  if (!senderKey) throw new Refusal(400, 'the key id is no public key of P-256');
  const shared = await subtle.deriveBits({ name: 'ECDH', public: senderKey }, receiver.privateKey, 256);
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.publicKey, sender]);
  const secret = await hkdf(shared, receiver.auth, keyInfo, 32);
  const key = await hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = await hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  return withoutPadding(await open(record, key, nonce));
}

function split(body) {
  const idLength = body[HEADER_BYTES - 1];
  if (idLength !== POINT_BYTES) throw new Refusal(400, 'the body does not begin with a header of aes128gcm and a key of 65 bytes');
  const start = HEADER_BYTES + idLength;
  return {
    salt: body.subarray(0, SALT_BYTES),
    recordSize: body.readUInt32BE(SALT_BYTES),
    sender: body.subarray(HEADER_BYTES, start),
    record: body.subarray(start),
  };
}

async function open(record, key, nonce) {
  const imported = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  try {
    return Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv: nonce }, imported, record));
  } catch {
    throw new Refusal(400, 'the record cannot be decrypted with the keys of the subscription');
  }
}

/** After the text stand the delimiter of the last record, and any number of zeros. */
function withoutPadding(padded) {
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== LAST_RECORD) throw new Refusal(400, 'the record does not end with the delimiter of the last record');
  return padded.subarray(0, end);
}

async function hkdf(secret, salt, info, bytes) {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  return Buffer.from(await subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bytes * 8));
}

/** A public key from a point without compression; undefined if it is not on the curve. */
async function importPoint(point, name, usages) {
  if (point?.length !== POINT_BYTES) return undefined;
  return subtle.importKey('raw', point, { name, namedCurve: CURVE }, false, usages).catch(() => undefined);
}
