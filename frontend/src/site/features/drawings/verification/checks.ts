/** The names of the checks, apart from their code: a page lists them before it loads what does the work. */
import { isDrawn, isVersion2, type AnyProof, type LogEntry } from './proof';

/** Of version 1, in the order of docs/drawing.md, section 1.8. */
export const proofCheckNames = [
  'scheme',
  'seed',
  'winnerLeaf',
  'lastLeaf',
  'draw',
  'winnerEntry',
  'record',
] as const;
export const listChecks = ['listNumbers', 'listTotals', 'listRoot', 'listLines'] as const;

/** Of version 2, by the names and in the order of section 2.10. */
export const sealCheckNames = ['scheme', 'announcement', 'seal', 'seed', 'lastLeaf'] as const;
export const drawCheckNames = ['rankLeaves', 'draw', 'record'] as const;

export type ProofCheck = (typeof proofCheckNames)[number];
export type ListCheck = (typeof listChecks)[number];
export type SealCheck = (typeof sealCheckNames)[number];
export type DrawCheck = (typeof drawCheckNames)[number];
export type Check1 = ProofCheck | ListCheck;
export type Check2 = SealCheck | 'beacon' | DrawCheck | 'list' | 'witness';
export type Check = Check1 | Check2;

/** All checks of version 1. */
export const checks: Check1[] = [...proofCheckNames, ...listChecks];

/** The checks that apply to a proof. A copy of the log is one from before the round. */
export function checksOf(proof: AnyProof, log?: LogEntry[]): Check[] {
  if (!isVersion2(proof)) return checks;
  const drawn: Check2[] = isDrawn(proof) ? ['beacon', ...drawCheckNames] : [];
  return [...sealCheckNames, ...drawn, 'list', ...(log ? (['witness'] as const) : [])];
}
