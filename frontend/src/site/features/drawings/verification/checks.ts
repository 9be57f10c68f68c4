/** The names of the checks, apart from their code: a page lists them before it loads what does the work. */
import { isDrawn, lateRoundOf, type LogEntry, type Proof } from './proof';

/** By the names and in the order of docs/drawing.md, section 10. */
export const sealCheckNames = [
  'scheme',
  'announcement',
  'prize',
  'seal',
  'seed',
  'lastLeaf',
] as const;
export const drawCheckNames = ['rankLeaves', 'draw', 'record'] as const;

export type SealCheck = (typeof sealCheckNames)[number];
export type DrawCheck = (typeof drawCheckNames)[number];
export type Check = SealCheck | 'beacon' | DrawCheck | 'lateRound' | 'list' | 'witness';

/** The checks that apply to a proof. A copy of the log is one from before the round. */
export function checksOf(proof: Proof, log?: LogEntry[]): Check[] {
  const drawn: Check[] = isDrawn(proof) ? ['beacon', ...drawCheckNames] : [];
  const late: Check[] = lateRoundOf(proof) ? ['lateRound'] : [];
  return [...sealCheckNames, ...drawn, ...late, 'list', ...(log ? (['witness'] as const) : [])];
}
