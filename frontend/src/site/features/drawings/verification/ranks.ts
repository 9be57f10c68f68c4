/** Who is drawn: docs/drawing.md, section 7. */
import { chacha20orig } from '@noble/ciphers/chacha.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesOf, u64, wholeNumber } from './bytes';
import type { Leaf, Proof, Rank } from './proof';

const MAX_RANKS = 10;
const MAX_OUTPUTS = 2 ** 20;
const ZEROS = '0'.repeat(64);
const ALL_OUTPUTS = 2n ** 64n;
const BLOCK_BYTES = 64;

export interface Draw {
  openingHash: string;
  seed: string;
  root: string;
  weightsHash: string;
  totalParticipants: number;
  totalEntries: number;
  round: number;
  randomness: string;
}

/** What the draw of a proof is computed from. Without a beacon, neither root nor randomness can be chosen. */
export function drawOf(proof: Proof, randomness: string): Draw {
  const { beacon } = proof;
  const isOff = beacon.chainHash === 'off';
  return {
    ...proof,
    openingHash: proof.announcement.hash,
    round: beacon.round,
    root: isOff ? ZEROS : proof.root,
    randomness: isOff ? ZEROS : randomness,
  };
}

/** The entry that is drawn first, if there is one. */
export const firstEntryOf = (draw: Draw): number | undefined =>
  draw.totalEntries < 1 ? undefined : drawnEntries(drawKey(draw), draw.totalEntries).next().value;

export function drawKey(draw: Draw): Uint8Array {
  const hash = sha256.create().update(utf8ToBytes('tombola-drawing/1 winner'));
  for (const hex of [draw.openingHash, draw.seed, draw.root, draw.weightsHash]) {
    hash.update(bytesOf(hex, 32));
  }
  for (const number of [draw.totalParticipants, draw.totalEntries, draw.round]) {
    hash.update(u64(BigInt(wholeNumber(number))));
  }
  return hash.update(bytesOf(draw.randomness, 32)).digest();
}

/** The keystream of ChaCha20 as 64-bit numbers, without an end. */
export function* outputsOf(key: Uint8Array): Generator<bigint, never> {
  for (let block = 0; ; block += 1) {
    const zeros = new Uint8Array(BLOCK_BYTES);
    const output = new Uint8Array(BLOCK_BYTES);
    const view = new DataView(chacha20orig(key, new Uint8Array(8), zeros, output, block).buffer);
    for (let at = 0; at < BLOCK_BYTES; at += 8) yield view.getBigUint64(at, true);
  }
}

/** The entry that each output draws, in order, without the outputs that are passed over. */
function* drawnEntries(key: Uint8Array, totalEntries: number): Generator<number, undefined> {
  const total = BigInt(totalEntries);
  const limit = ALL_OUTPUTS - (ALL_OUTPUTS % total); // so that each entry is exactly as likely as any other
  const outputs = outputsOf(key);
  for (let read = 0; read < MAX_OUTPUTS; read += 1) {
    const output = outputs.next().value;
    if (output < limit) yield 1 + Number(output % total);
  }
}

/** What is wrong with the ranks, in a sentence, or nothing. Their leaves show who has a rank, so this needs no list. */
export function checkRanks(draw: Draw, ranks: Rank[]): string | undefined {
  const wanted = Math.min(MAX_RANKS, wholeNumber(draw.totalParticipants));
  if (wholeNumber(draw.totalEntries) < 1) return 'Nothing can be drawn without an entry.';
  let place = 0;
  for (const entry of drawnEntries(drawKey(draw), draw.totalEntries)) {
    if (place === wanted) break;
    if (ranks.slice(0, place).some(({ leaf }) => hasEntry(leaf, entry))) continue;
    const rank = ranks[place];
    if (rank?.entryNumber !== entry) {
      return `Entry ${entry} is drawn for rank ${place}, not ${rank?.entryNumber ?? 'nothing'}.`;
    }
    if (rank.rank !== place || !hasEntry(rank.leaf, entry)) {
      return `The line of rank ${place} does not have entry ${entry}.`;
    }
    place += 1;
  }
  return place === ranks.length ? undefined : `There are ${ranks.length} ranks, not ${place}.`;
}

const hasEntry = ({ firstEntry, weight }: Leaf, entry: number): boolean =>
  firstEntry <= entry && entry < firstEntry + weight;
