/** What the verification hash sums up: docs/drawing.md, section 1.6. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Proof } from './proof';

export function recordText(proof: Proof): string {
  const lines = [
    'tombola-drawing/1 record',
    `drawing ${proof.drawing}`,
    `raffle ${proof.landingPage}`,
    `commitment ${proof.commitment}`,
    `committedAt ${proof.committedAt}`,
    `seedSource ${proof.seedSource}`,
    `seed ${proof.seed}`,
    `root ${proof.root}`,
    `totalParticipants ${proof.totalParticipants}`,
    `totalEntries ${proof.totalEntries}`,
    `winningEntryNumber ${proof.winningEntryNumber}`,
    `drawnAt ${proof.drawnAt}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export const verificationHash = (proof: Proof): string =>
  bytesToHex(sha256(utf8ToBytes(recordText(proof))));
