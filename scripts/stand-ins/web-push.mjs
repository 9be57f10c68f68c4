// What a push service and a browser do with a message: they check who sent it (VAPID, RFC 8292) and decrypt it (RFC 8291,
// RFC 8188). The calculations are those of `jose` and `http_ece`, so that crates/adapters/push-web is tested by code of others.
import { createECDH, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { installed } from '../installed.mjs';

export const jose = await installed('jose');
export const { default: ece } = await installed('http_ece');

/** A public key without compression: this byte, and two coordinates. */
const UNCOMPRESSED = 4;
const POINT_BYTES = 65;
const SECRET_BYTES = 16;
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

/** A key pair for VAPID: the public key as a point of 65 bytes, the private one as 32 bytes, both in base64url. */
export function newVapidKeys() {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(UNCOMPRESSED), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { publicKey: point.toString('base64url'), privateKey: d };
}

/** What a browser makes for a subscription: a key pair and a secret. */
export function newReceiver() {
  const privateKey = createECDH('prime256v1');
  return { privateKey, publicKey: privateKey.generateKeys(), auth: randomBytes(SECRET_BYTES) };
}

/**
 * Checks the header `Authorization` of a request to a push service at `origin`. Returns the public key of the sender, in
 * base64url, and the token's claims; throws a Refusal.
 */
export async function checkVapid(authorization, origin) {
  if (!authorization) throw new Refusal(401, 'Authorization is missing');
  const { t: token, k: publicKey } = vapidParameters(authorization);
  const options = { algorithms: ['ES256'], requiredClaims: ['exp'] };
  const { payload: claims } = await jose.jwtVerify(token, keyOf(publicKey), options).catch(({ message }) => {
    throw new Refusal(403, message);
  });
  if (claims.aud !== origin) throw new Refusal(403, 'aud is not the origin of the push service');
  if (claims.exp > Date.now() / 1000 + MAX_LIFE_SECONDS) throw new Refusal(403, 'exp is more than 24 hours ahead');
  if (!/^(mailto:.+@.+|https:\/\/.+)$/.test(claims.sub)) throw new Refusal(403, 'sub is neither mailto: nor https:');
  return { publicKey, claims };
}

function vapidParameters(authorization) {
  const [, list] = /^vapid +(.+)$/i.exec(authorization) ?? [];
  if (!list) throw new Refusal(403, 'the scheme is not vapid');
  const parameters = Object.fromEntries(list.split(',').map((parameter) => parameter.trim().split(/=(.*)/s, 2)));
  if (!parameters.t || !parameters.k) throw new Refusal(403, 't or k is missing');
  return parameters;
}

function keyOf(text) {
  const point = Buffer.from(text, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  try {
    if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED) throw new Error('not such a point');
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    throw new Refusal(403, 'k is no public key of P-256');
  }
}

/** Decrypts the body of a message for this receiver. Throws a Refusal. */
export function decrypt(body, { privateKey, auth }) {
  try {
    const record = body.subarray(21 + body[20]);
    // RFC 8291, section 4: there is one record, and its size is greater than what it holds.
    if (record.length >= body.readUInt32BE(16)) throw new Error('the record is not smaller than the record size');
    if (record.length === 0) throw new Error('the record is empty');
    return ece.decrypt(body, { version: 'aes128gcm', privateKey, authSecret: auth });
  } catch (error) {
    throw new Refusal(400, `the body cannot be decrypted with the keys of the subscription: ${error.message}`);
  }
}
