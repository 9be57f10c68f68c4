/** Leaves and their tree: docs/drawing.md, section 4 (RFC 6962, section 2.1; RFC 9162, section 2.1.3.2). */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesOf, setU64, u64, wholeNumber } from './bytes';
import type { Inclusion, Leaf } from './proof';

export const HASH_BYTES = 32;
const BLINDED_ID_BYTES = 24;

export function leafHash({ index, firstEntry, weight, blindedId }: Leaf): Uint8Array {
  const bytes = new Uint8Array(1 + 3 * 8 + BLINDED_ID_BYTES);
  const view = new DataView(bytes.buffer);
  setU64(view, 1, index);
  setU64(view, 9, firstEntry);
  setU64(view, 17, weight);
  bytes.set(bytesOf(blindedId, BLINDED_ID_BYTES), 25);
  return sha256(bytes);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + 2 * HASH_BYTES);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 1 + HASH_BYTES);
  return sha256(bytes);
}

/** What a leaf has of an entrant besides the id. */
export function tagOf(personSalt: string, number: string): string {
  const hash = sha256.create().update(Uint8Array.of(4)).update(bytesOf(personSalt, HASH_BYTES));
  return bytesToHex(hash.update(utf8ToBytes(number)).digest());
}

export function blindedIdOf(salt: string, id: number, tag: string): string {
  const hash = sha256.create().update(Uint8Array.of(3)).update(bytesOf(salt, 16));
  const bytes = hash
    .update(u64(BigInt(id)))
    .update(bytesOf(tag, HASH_BYTES))
    .digest();
  return bytesToHex(bytes.subarray(0, BLINDED_ID_BYTES));
}

/** The root over leaves as they come: it keeps one hash for each binary digit of how many there were. */
export class RootOf {
  private readonly peaks: Uint8Array[] = [];
  private count = 0;

  add(leaf: Uint8Array): void {
    let hash = leaf;
    // As in adding 1 to a binary number: two full trees of one size are one of twice the size.
    for (let n = this.count; n % 2 === 1; n = (n - 1) / 2) hash = nodeHash(this.highest(), hash);
    this.peaks.push(hash);
    this.count += 1;
  }

  /** Nothing for no leaves. Afterwards it is used up. */
  finish(): string | undefined {
    let root = this.peaks.pop();
    while (root && this.peaks.length) root = nodeHash(this.highest(), root);
    return root && bytesToHex(root);
  }

  private highest(): Uint8Array {
    const peak = this.peaks.pop();
    if (!peak) throw new Error('There is no tree to the left.');
    return peak;
  }
}

/** Whether this way leads from the leaf to the root of a tree of so many leaves. */
export function isUnder(root: string, size: number, { leaf, path }: Inclusion): boolean {
  let hash = leafHash(leaf);
  if (leaf.index >= wholeNumber(size)) return false;
  let [place, last] = [leaf.index, size - 1];
  for (const step of path) {
    if (last === 0) return false;
    const beside = bytesOf(step, HASH_BYTES);
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(beside, hash);
      // The last of an odd row goes up alone until it is a right child.
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      hash = nodeHash(hash, beside);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && bytesToHex(hash) === root;
}

const half = (n: number) => Math.floor(n / 2); // places go beyond what bit operators can take
