// @vitest-environment node
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { expect, it } from 'vitest';
import { ListChecker } from './checkList';
import type { DrawnProof } from './proof';
import { checkRanks, drawOf } from './ranks';

const script = fileURLToPath(
  new URL('../../../../../../scripts/drawing/drawing_cases.py', import.meta.url),
);

interface RandomDrawing {
  list: string;
  proof: DrawnProof;
}

function randomDrawings(): RandomDrawing[] {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const lines = execFileSync('python3', [script], { encoding: 'utf8', env, maxBuffer: 1e8 });
  const read = (line: string) => JSON.parse(line) as RandomDrawing;
  return lines.trimEnd().split('\n').map(read);
}

function problemsOfList({ list, proof }: RandomDrawing) {
  const checker = new ListChecker(proof);
  list
    .trimEnd()
    .split('\n')
    .forEach((line) => checker.add(line));
  return checker.finish();
}

it('10,000 random drawings are the same in Python, and so in the server', () => {
  const drawings = randomDrawings();
  expect(drawings).toHaveLength(10_000);
  for (const drawing of drawings) {
    const { proof } = drawing;
    const { signature, randomness } = proof.beacon;
    if (signature) expect(bytesToHex(sha256(hexToBytes(signature)))).toBe(randomness);
    expect(problemsOfList(drawing)).toEqual({});
    expect(checkRanks(drawOf(proof), proof.ranks)).toBeUndefined();
    // A short list may be drawn in the same order with another round.
    const anotherRound = { ...drawOf(proof), round: proof.beacon.round + 1 };
    if (proof.totalParticipants > 5) expect(checkRanks(anotherRound, proof.ranks)).toBeDefined();
  }
}, 300_000);
