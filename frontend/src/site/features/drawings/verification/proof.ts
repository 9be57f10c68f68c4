/** docs/drawing.md, sections 1 and 9. */
import type { LeafView, OwnLeafView, ProvenLeafView } from '../../../api/generatedDrawings';

export type Leaf = LeafView;
export type Inclusion = ProvenLeafView;

export interface LogEntry {
  id: number;
  action: string;
  drawing: number | null;
  /** JSON, as text: the hash covers its exact spelling. */
  details: string | null;
  randomSeed: string | null;
  participantCount: number | null;
  verificationHash: string | null;
  session: number | null;
  at: string;
  previous: string;
  hash: string;
}

/** Before the draw. */
export interface SealedProof {
  scheme: string;
  status: 'sealed' | 'void';
  drawing: number;
  landingPage: string;
  period: string;
  kind: string;
  cutOff: string;
  commitment: string;
  committedAt: string;
  seedSource: string;
  /** What the raffle said when it promised the prize, byte for byte; null if the announcement names no version. */
  version: string | null;
  seed: string;
  root: string;
  weightsHash: string;
  totalParticipants: number;
  totalEntries: number;
  announcement: LogEntry;
  seal: LogEntry;
  beacon: { chainHash: string; round: number; waitingSince?: string | null };
  last: Inclusion;
  /** Of a void drawing, when its round came after the seal of the one that replaces it. */
  lateRound?: LateRound;
}

export interface LateRound {
  signature: string;
  /** The entry that would have won. */
  entryNumber: number;
}

export interface Rank extends Inclusion {
  rank: number;
  entryNumber: number;
}

export interface DrawnProof extends Omit<SealedProof, 'status' | 'beacon' | 'lateRound'> {
  status: 'drawn';
  beacon: {
    chainHash: string;
    round: number;
    randomness: string;
    signature: string | null;
    warning?: string | null;
  };
  winningEntryNumber: number;
  winner: Inclusion;
  ranks: Rank[];
  drawnAt: string;
  winnerLast4: string | null;
  verificationHash: string;
  auditLogHash: string;
}

export type Proof = SealedProof | DrawnProof;

/** The tag is made again from what it is made of. */
export type OwnLeaf = Omit<OwnLeafView, 'tag' | 'logHead'>;

/** What the proof of a drawing without a beacon says, and its page. */
export const WITHOUT_BEACON = 'The operator could have known the winner of this drawing.';

export const SCHEME = 'tombola-drawing/1';

export const lateRoundOf = (proof: Proof): LateRound | undefined =>
  proof.status === 'void' ? proof.lateRound : undefined;

export const isDrawn = (proof: Proof): proof is DrawnProof => proof.status === 'drawn';
