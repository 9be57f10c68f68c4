import { listChecks, ListChecker, type ListCheck } from './checkList';
import { checkProof, proofChecks, type ProofCheck } from './checkProof';
import { linesOf } from './lines';
import type { Proof } from './proof';

export type Check = ProofCheck | ListCheck;

/** In the order of docs/drawing.md, section 1.8, and of the work. */
export const checks: Check[] = [...(Object.keys(proofChecks) as ProofCheck[]), ...listChecks];

export type Report =
  /** A check is done; with a problem it failed. */
  | { kind: 'checked'; check: Check; problem?: string | undefined }
  /** So many lines of the list have been read. */
  | { kind: 'rows'; rows: number }
  /** The list did not arrive, or not all of it: nothing is known of it. */
  | { kind: 'unread' }
  | { kind: 'done' };

const REPORT_EVERY_MS = 100;

/** Recomputes a drawing and tells what it finds as it goes. */
export async function checkDrawing(
  proof: Proof,
  openList: () => Promise<ReadableStream<Uint8Array>>,
  report: (report: Report) => void,
): Promise<void> {
  for (const check of Object.keys(proofChecks) as ProofCheck[]) {
    report({ kind: 'checked', check, problem: checkProof(check, proof) });
  }
  const list = new ListChecker(proof);
  try {
    await readList(list, await openList(), report);
  } catch {
    return report({ kind: 'unread' });
  }
  const problems = list.finish();
  for (const check of listChecks) report({ kind: 'checked', check, problem: problems[check] });
  report({ kind: 'done' });
}

async function readList(
  list: ListChecker,
  stream: ReadableStream<Uint8Array>,
  report: (report: Report) => void,
): Promise<void> {
  let reported = performance.now();
  for await (const lines of linesOf(stream)) {
    if (!lines.every((line) => list.add(line))) return;
    if (performance.now() - reported < REPORT_EVERY_MS) continue;
    reported = performance.now();
    report({ kind: 'rows', rows: list.rows });
  }
  report({ kind: 'rows', rows: list.rows });
}
