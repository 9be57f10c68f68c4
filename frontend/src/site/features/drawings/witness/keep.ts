/** What this browser keeps of drawings and their log, to compare it later. Where nothing can be kept, nothing is. */
import type { LogEntry, OwnLeaf } from '../verification/proof';

const KEY = 'tombola.drawings';
/** Two years of one raffle. The oldest is dropped first. */
const MOST_DRAWINGS = 24;

export interface KeptDrawing {
  savedAt: string;
  root: string;
  /** Missing if it did not have its hash. */
  seal?: LogEntry;
  own?: OwnLeaf;
}

export interface Head {
  id: number;
  hash: string;
  savedAt: string;
}

/** What the server published instead of what was kept. */
export interface Difference {
  savedAt: string;
  kept: unknown;
  published: unknown;
}

export interface Kept {
  /** The newest entry of the log that was seen. */
  head?: Head;
  /** When the log was asked for. */
  askedAt?: string;
  difference?: Difference | undefined;
  drawings: Record<string, KeptDrawing>;
}

export function readKept(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '') as Partial<Kept>;
    return { ...kept, drawings: kept.drawings ?? {} };
  } catch {
    return { drawings: {} };
  }
}

export function writeKept(kept: Kept) {
  const newest = Object.entries(kept.drawings)
    .sort(([, a], [, b]) => b.savedAt.localeCompare(a.savedAt))
    .slice(0, MOST_DRAWINGS);
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept, drawings: Object.fromEntries(newest) }));
  } catch {
    // Full or blocked.
  }
}
