/** How seed and root say which entry wins: docs/drawing.md, section 1.5. */
import { chacha20orig } from '@noble/ciphers/chacha.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesOf, u64 } from './bytes';

const ALL_OUTPUTS = 2n ** 64n;
const BLOCK_BYTES = 64;

interface Drawn {
  seed: string;
  root: string;
  totalParticipants: bigint;
  totalEntries: bigint;
}

export function keyOf({ seed, root, totalParticipants, totalEntries }: Drawn): Uint8Array {
  const hash = sha256.create().update(utf8ToBytes('tombola-drawing/1 winner'));
  hash.update(bytesOf(seed, 32)).update(bytesOf(root, 32));
  return hash.update(u64(totalParticipants)).update(u64(totalEntries)).digest();
}

/** The keystream of ChaCha20 as 64-bit numbers, without an end. */
export function* outputsOf(key: Uint8Array): Generator<bigint, never> {
  for (let block = 0; ; block += 1) {
    const zeros = new Uint8Array(BLOCK_BYTES);
    const { buffer } = chacha20orig(
      key,
      new Uint8Array(8),
      zeros,
      new Uint8Array(BLOCK_BYTES),
      block,
    );
    const view = new DataView(buffer);
    for (let at = 0; at < BLOCK_BYTES; at += 8) yield view.getBigUint64(at, true);
  }
}

/** The first number that is too large to be used. */
export const limitOf = (totalEntries: bigint): bigint => ALL_OUTPUTS - (ALL_OUTPUTS % totalEntries);

/** What is not below the limit is passed over, so that every entry is exactly as likely as any other. */
export function winningEntryNumber(drawn: Drawn): bigint {
  const { totalEntries } = drawn;
  if (totalEntries < 1n) throw new Error('Nothing can be drawn without an entry.');
  const limit = limitOf(totalEntries);
  for (const output of outputsOf(keyOf(drawn))) {
    if (output < limit) return 1n + (output % totalEntries);
  }
  throw new Error('The keystream ended.');
}
