/** What the verification hash covers: docs/drawing.md, section 8. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { DrawnProof } from './proof';

export function recordText(proof: DrawnProof): string {
  const { beacon } = proof;
  const lines = [
    'tombola-drawing/1 record',
    `drawing ${proof.drawing}`,
    `raffle ${proof.landingPage}`,
    `period ${proof.period}`,
    `kind ${proof.kind}`,
    `opening ${proof.announcement.hash}`,
    `seal ${proof.seal.hash}`,
    `seed ${proof.seed}`,
    `root ${proof.root}`,
    `weightsHash ${proof.weightsHash}`,
    `totalParticipants ${proof.totalParticipants}`,
    `totalEntries ${proof.totalEntries}`,
    `beacon ${beacon.chainHash}`,
    `round ${beacon.round}`,
    `signature ${beacon.signature ?? '-'}`,
    `randomness ${beacon.randomness}`,
    `entryNumbers ${proof.ranks.map(({ entryNumber }) => entryNumber).join(',')}`,
    `drawnAt ${proof.drawnAt}`,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export const verificationHash = (proof: DrawnProof): string =>
  bytesToHex(sha256(utf8ToBytes(recordText(proof))));
