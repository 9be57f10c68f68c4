import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { expect } from 'vitest';
import { ListChecker } from '../../site/features/drawings/verification/checkList';
import type { DrawnProof } from '../../site/features/drawings/verification/proof';
import { checkRanks, drawOf } from '../../site/features/drawings/verification/ranks';

const script = fileURLToPath(
  new URL('../../../../scripts/drawing/drawing_cases.py', import.meta.url),
);

interface RandomDrawing {
  list: string;
  proof: DrawnProof;
}

function randomDrawings(count: number): RandomDrawing[] {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const options = { encoding: 'utf8', env, maxBuffer: 1e8 } as const;
  const lines = execFileSync('python3', [script, String(count)], options);
  const read = (line: string) => JSON.parse(line) as RandomDrawing;
  return lines.trimEnd().split('\n').map(read);
}

function problemOfList({ list, proof }: RandomDrawing) {
  const checker = new ListChecker(proof);
  list
    .trimEnd()
    .split('\n')
    .forEach((line) => checker.add(line));
  return checker.finish();
}

/** Compares so many random drawings with those of the Python program, which the server's tests compute too. */
export function compareRandomDrawings(count: number) {
  const drawings = randomDrawings(count);
  expect(drawings).toHaveLength(count);
  for (const drawing of drawings) {
    const { proof } = drawing;
    const { signature, randomness } = proof.beacon;
    if (signature) expect(bytesToHex(sha256(hexToBytes(signature)))).toBe(randomness);
    expect(problemOfList(drawing)).toBeUndefined();
    expect(checkRanks(drawOf(proof, randomness), proof.ranks)).toBeUndefined();
    // A short list may be drawn in the same order with another round.
    const anotherRound = { ...drawOf(proof, randomness), round: proof.beacon.round + 1 };
    if (proof.totalParticipants > 5) expect(checkRanks(anotherRound, proof.ranks)).toBeDefined();
  }
}
