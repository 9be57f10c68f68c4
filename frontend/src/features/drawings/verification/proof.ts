/** What `/api/drawings/{id}/proof` gives: docs/drawing.md, section 7. */
export interface Proof {
  scheme: string;
  drawing: number;
  landingPage: string;
  commitment: string;
  committedAt: string;
  seedSource: string;
  seed: string;
  root: string;
  totalParticipants: number;
  totalEntries: number;
  winningEntryNumber: number;
  drawnAt: string;
  winnerLast4: string;
  winner: Inclusion;
  last: Inclusion;
  verificationHash: string;
  auditLogHash: string;
}

/** A leaf, and the hashes beside its way up to the root, the lowest first. */
export interface Inclusion {
  leaf: Leaf;
  path: string[];
}

export interface Leaf {
  index: number;
  firstEntry: number;
  weight: number;
  blindedId: string;
}

/** What `/api/drawings/{id}/own-leaf` gives to the browser that entered. */
export interface OwnLeaf extends Inclusion {
  entrantId: number;
  salt: string;
}
