/** What must hold of a proof without its list: docs/drawing.md, section 1.8, from 1 to 7. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesOf, wholeNumber } from './bytes';
import type { ProofCheck } from './checks';
import { isUnder } from './merkle';
import type { Proof } from './proof';
import { verificationHash } from './record';
import { winningEntryNumber } from './winner';

/** Each gives what is wrong, in a sentence, or nothing. What cannot be read throws. */
export const proofChecks = {
  scheme: ({ scheme }) =>
    scheme === 'tombola-drawing/1' ? undefined : `This page does not know the scheme “${scheme}”.`,

  seed({ seed, commitment }) {
    const hash = bytesToHex(sha256(bytesOf(seed, 32)));
    return hash === commitment ? undefined : `The seed’s hash is ${hash}, not the commitment.`;
  },

  winnerLeaf: ({ winner, root, totalParticipants }) =>
    isUnder(root, totalParticipants, winner)
      ? undefined
      : 'The winner’s line and its path do not lead to the root.',

  lastLeaf({ last, root, totalParticipants, totalEntries }) {
    const { index, firstEntry, weight } = last.leaf;
    if (!isUnder(root, totalParticipants, last)) {
      return 'The last line and its path do not lead to the root.';
    }
    if (index !== totalParticipants - 1) {
      return `The last line is number ${index}, of ${totalParticipants} counted from 0.`;
    }
    const entries = firstEntry + weight - 1;
    return entries === totalEntries
      ? undefined
      : `The last line ends at entry ${entries}, but the proof counts ${totalEntries} entries.`;
  },

  draw(proof) {
    const drawn = winningEntryNumber({
      ...proof,
      totalParticipants: BigInt(wholeNumber(proof.totalParticipants)),
      totalEntries: BigInt(wholeNumber(proof.totalEntries)),
    });
    return drawn === BigInt(wholeNumber(proof.winningEntryNumber))
      ? undefined
      : `The seed and the root give entry ${drawn}, not ${proof.winningEntryNumber}.`;
  },

  winnerEntry({ winner, winningEntryNumber }) {
    const { firstEntry, weight } = winner.leaf;
    [firstEntry, weight, winningEntryNumber].forEach(wholeNumber);
    return firstEntry <= winningEntryNumber && winningEntryNumber < firstEntry + weight
      ? undefined
      : `The winner’s line has the entries ${firstEntry} to ${firstEntry + weight - 1}, not ${winningEntryNumber}.`;
  },

  record(proof) {
    const hash = verificationHash(proof);
    return hash === proof.verificationHash
      ? undefined
      : `The hash of this drawing’s facts is ${hash}.`;
  },
} satisfies Record<ProofCheck, (proof: Proof) => string | undefined>;

/** What is wrong by this check, or nothing. */
export function checkProof(check: ProofCheck, proof: Proof): string | undefined {
  try {
    return proofChecks[check](proof);
  } catch (unreadable) {
    return unreadable instanceof Error ? unreadable.message : String(unreadable);
  }
}
