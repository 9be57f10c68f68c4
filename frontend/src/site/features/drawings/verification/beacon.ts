/**
 * Rounds of a public randomness beacon. A network such as drand's quicknet signs the number of each round with a key that
 * its members hold together; a signature can be verified by anybody and made by nobody ahead of time. The curve's code is
 * large: only a check of a drawing may load this file.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesOf, u64 } from './bytes';
import type { Chain } from './chain';

export { quicknet, timeOf, type Chain } from './chain';

/** What separates these signatures from those of other protocols with the same key. */
const TAG = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';

const { shortSignatures } = bls12_381;

/** The hash that names a chain, of all that its rounds depend on. */
export function chainHashOf({ period, genesisTime, publicKey, groupHash, beaconId }: Chain) {
  const hashed = concatBytes(
    u64(BigInt(period)).subarray(4),
    u64(BigInt(genesisTime)),
    bytesOf(publicKey, 96),
    bytesOf(groupHash, 32),
    utf8ToBytes(beaconId),
  );
  return bytesToHex(sha256(hashed));
}

/** The first round that is due at this moment (in seconds since 1970) or after it. */
export const firstRoundAtOrAfter = ({ genesisTime, period }: Chain, seconds: number): number =>
  Math.max(0, Math.ceil((Math.ceil(seconds) - genesisTime) / period)) + 1;

/** Never taken from an answer or a proof: always computed from the signature. */
export const randomnessOf = (signature: string): string =>
  bytesToHex(sha256(bytesOf(signature, 48)));

/** Whether the key signed this round with this signature. What cannot be read is not signed. */
export function isSigned(publicKey: string, round: number, signature: string): boolean {
  try {
    const point = shortSignatures.Signature.fromBytes(bytesOf(signature, 48));
    const key = bls12_381.G2.Point.fromBytes(bytesOf(publicKey, 96));
    // A point outside the subgroup, or at infinity, could pass the equation of pairings.
    point.assertValidity();
    key.assertValidity();
    if (point.is0() || key.is0()) return false;
    const message = shortSignatures.hash(sha256(u64(BigInt(round))), TAG);
    return shortSignatures.verify(point, message, key);
  } catch {
    return false;
  }
}
