/** docs/drawing.md, sections 1.7 (version 1), 2.1 and 2.9 (version 2). */
import type {
  LeafView,
  OwnLeafView,
  ProofView,
  ProvenLeafView,
} from '../../../api/generatedDrawings';

export type Leaf = LeafView;
export type Inclusion = ProvenLeafView;
/** Of version 1. */
export type Proof = ProofView;

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

/** Of version 2, before the draw. */
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
  seed: string;
  root: string;
  weightsHash: string;
  totalParticipants: number;
  totalEntries: number;
  announcement: LogEntry;
  seal: LogEntry;
  beacon: { chainHash: string; round: number; waitingSince?: string | null };
  last: Inclusion;
}

export interface Rank extends Inclusion {
  rank: number;
  entryNumber: number;
}

export interface DrawnProof extends Omit<SealedProof, 'status' | 'beacon'> {
  status: 'drawn';
  beacon: { chainHash: string; round: number; randomness: string; signature: string | null };
  winningEntryNumber: number;
  winner: Inclusion;
  ranks: Rank[];
  drawnAt: string;
  winnerLast4: string | null;
  verificationHash: string;
  auditLogHash: string;
}

/** Of version 2. */
export type Proof2 = SealedProof | DrawnProof;
export type AnyProof = Proof | Proof2;

/** What its tag is made of is missing in copies that browsers kept of version 1. */
export type OwnLeaf = Omit<OwnLeafView, Tagged> & Partial<Pick<OwnLeafView, Tagged>>;
type Tagged = 'phoneNumber' | 'personSalt' | 'tag' | 'logHead';

export const SCHEME_2 = 'tombola-drawing/2';

export const isVersion2 = (proof: AnyProof): proof is Proof2 => proof.scheme === SCHEME_2;
export const isDrawn = (proof: Proof2): proof is DrawnProof => proof.status === 'drawn';
