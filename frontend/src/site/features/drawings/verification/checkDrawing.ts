import { ListChecker } from './checkList';
import { checkBeacon, checkLateRound, drawChecks, outcomeOf, sealChecks } from './checkProof';
import { drawCheckNames, sealCheckNames, type Check } from './checks';
import { linesOf } from './lines';
import { checkWitness } from './log';
import { isDrawn, lateRoundOf, type LogEntry, type Proof } from './proof';

export type Report =
  /** A check is done; with a problem it failed, and with a reason in `unchecked` it could not be done. */
  | { kind: 'checked'; check: Check; problem?: string | undefined; unchecked?: string | undefined }
  /** So many lines of the list have been read. */
  | { kind: 'rows'; rows: number }
  /** The list did not arrive, or not all of it: nothing is known of it. */
  | { kind: 'unread' }
  | { kind: 'done' };

const REPORT_EVERY_MS = 100;

type OpenList = () => Promise<ReadableStream<Uint8Array>>;
type Tell = (report: Report) => void;

/** Recomputes a drawing and tells what it finds as it goes. */
export async function checkDrawing(
  proof: Proof,
  openList: OpenList,
  report: Tell,
  log?: LogEntry[],
): Promise<void> {
  await checkSteps(proof, report, log);
  let list: ListChecker;
  try {
    list = new ListChecker(proof);
    await readList(list, await openList(), report);
  } catch {
    return report({ kind: 'unread' });
  }
  report({ kind: 'checked', check: 'list', problem: list.finish() });
  report({ kind: 'done' });
}

async function checkSteps(proof: Proof, report: Tell, log: LogEntry[] | undefined) {
  for (const check of sealCheckNames) {
    report({ kind: 'checked', check, problem: outcomeOf(() => sealChecks[check](proof)) });
  }
  if (log) {
    const problem = outcomeOf(() => checkWitness(log, proof));
    report({ kind: 'checked', check: 'witness', problem });
  }
  const late = lateRoundOf(proof);
  if (late) {
    const found = await checkLateRound(proof, late, loadBeacon).catch(asProblem);
    report({ kind: 'checked', check: 'lateRound', ...found });
  }
  if (!isDrawn(proof)) return;
  const beacon = await checkBeacon(proof, loadBeacon).catch(asProblem);
  report({ kind: 'checked', check: 'beacon', ...beacon });
  for (const check of drawCheckNames) {
    report({ kind: 'checked', check, problem: outcomeOf(() => drawChecks[check](proof)) });
  }
}

const asProblem = (unreadable: unknown) => ({ problem: String(unreadable) });

const loadBeacon = async () => (await import(/* webpackChunkName: "beacon" */ './beacon')).isSigned;

async function readList(
  list: ListChecker,
  stream: ReadableStream<Uint8Array>,
  report: Tell,
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
