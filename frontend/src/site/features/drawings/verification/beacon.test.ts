// @vitest-environment node
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  chainHashOf,
  firstRoundAtOrAfter,
  isSigned,
  quicknet,
  randomnessOf,
  timeOf,
  type Chain,
} from './beacon';

interface Signed {
  name: string;
  publicKey: string;
  round: number;
  signature: string;
}

interface Vectors {
  chain: Chain;
  times: { at: string; round: number }[];
  rounds: { round: number; time: number; signature: string; randomness: string }[];
  ownKey: Signed[];
  refused: Signed[];
  malformed: { name: string; signature: string }[];
}

const file = new URL('../../../../../../docs/beacon-vectors.json', import.meta.url);
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;

/** A moment with up to nine digits after the seconds, in seconds. Date has only three. */
function secondsOf(at: string): number {
  const [, start, fraction = '0'] = /^(.*?)(\.\d+)?Z$/.exec(at)!;
  return Date.parse(`${start}Z`) / 1000 + (Number(fraction) > 0 ? 0.001 : 0);
}

describe('quicknet', () => {
  it('is the chain of the vectors, and its hash holds', () => {
    expect(vectors.chain).toMatchObject(quicknet);
    expect(chainHashOf(quicknet)).toBe(quicknet.chainHash);
    expect(chainHashOf({ ...quicknet, period: 4 })).not.toBe(quicknet.chainHash);
  });

  it.each(vectors.times)('has round $round at or after $at', ({ at, round }) => {
    expect(firstRoundAtOrAfter(quicknet, secondsOf(at))).toBe(round);
  });
});

describe('a real round', () => {
  it.each(vectors.rounds)('$round is signed, and its randomness is computed', (vector) => {
    const { round, signature, randomness, time } = vector;
    expect(isSigned(quicknet.publicKey, round, signature)).toBe(true);
    expect(isSigned(quicknet.publicKey, round + 1, signature)).toBe(false);
    expect(randomnessOf(signature)).toBe(randomness);
    expect(timeOf(quicknet, round)).toBe(time);
  });
});

describe('a signature', () => {
  it.each(vectors.ownKey)('of another key is verified with that key', (vector) => {
    const { publicKey, round, signature } = vector;
    expect(isSigned(publicKey, round, signature)).toBe(true);
  });

  it.each(vectors.refused)('is refused: $name (round $round)', (vector) => {
    const { publicKey, round, signature } = vector;
    expect(isSigned(publicKey, round, signature)).toBe(false);
  });

  it.each(vectors.malformed)('is refused when it is not well-formed: $name', ({ signature }) => {
    expect(isSigned(quicknet.publicKey, 1000, signature)).toBe(false);
    expect(() => randomnessOf(signature)).toThrow();
  });
});
