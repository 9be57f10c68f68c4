/** Compares what the server publishes with what this browser kept. Loaded when a page has nothing better to do. */
import { logPath } from '../paths';
import { checkChain, isWitnessed, logHash, readLog } from '../verification/log';
import { isUnder } from '../verification/merkle';
import type { LogEntry, OwnLeaf, Proof } from '../verification/proof';
import { readKept, writeKept, type Difference, type KeptDrawing } from './keep';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** So much of a different answer is kept as evidence. */
const MOST_ENTRIES = 3;

/** Asks for the log at most once a day. Gives how it differs from the head that was kept, if it does. */
export async function compareLog(now = new Date()): Promise<Difference | undefined> {
  const { askedAt, difference, head } = readKept();
  if (askedAt !== undefined && now.getTime() - Date.parse(askedAt) < DAY_MS) return difference;
  const entries = await fetchLog(head ? head.id - 1 : 0);
  if (!entries) return difference;
  const found = head && differenceFrom(head, entries);
  const last = entries.at(-1);
  const isGood = !found && last !== undefined && checkChain(entries) === undefined;
  const newest = isGood ? { id: last.id, hash: last.hash, savedAt: now.toISOString() } : head;
  writeKept({
    ...readKept(),
    askedAt: now.toISOString(),
    difference: found,
    ...(newest && { head: newest }),
  });
  return found;
}

function differenceFrom(
  head: { id: number; hash: string; savedAt: string },
  entries: LogEntry[],
): Difference | undefined {
  const same = entries[0]?.id === head.id && entries[0].hash === head.hash;
  if (same && checkChain(entries) === undefined) return undefined;
  return { savedAt: head.savedAt, kept: head, published: entries.slice(0, MOST_ENTRIES) };
}

/** Nothing if the log cannot be had or read: only what was published can differ. */
async function fetchLog(after: number): Promise<LogEntry[] | undefined> {
  try {
    const response = await fetch(logPath(after));
    return response.ok ? readLog(await response.text()) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what is published about a drawing. Gives how it differs from what was kept before, if it does. */
export function compareDrawing(
  proof: Proof,
  own: OwnLeaf | undefined,
  now = new Date(),
): Difference | undefined {
  const kept = readKept();
  const before = kept.drawings[proof.drawing];
  if (before && !isSame(before, proof)) {
    return { savedAt: before.savedAt, kept: before, published: proof };
  }
  const after = { ...(before ?? firstSight(proof, now)), ...(own && { own }) };
  if (!before || (own && !before.own)) {
    writeKept({ ...kept, drawings: { ...kept.drawings, [proof.drawing]: after } });
  }
  return undefined;
}

const firstSight = (proof: Proof, now: Date): KeptDrawing => ({
  savedAt: now.toISOString(),
  root: proof.root,
  ...(logHash(proof.seal) === proof.seal.hash && { seal: proof.seal }),
});

function isSame(kept: KeptDrawing, proof: Proof): boolean {
  if (kept.root !== proof.root) return false;
  if (kept.seal && proof.seal.hash !== kept.seal.hash) return false;
  return !kept.own || isUnder(proof.root, proof.totalParticipants, kept.own);
}

/** The seal of the drawing, if this browser kept it before the random value was due. */
export function keptSeal(
  proof: Proof,
  round: Date,
): { log: LogEntry[]; savedAt: string } | undefined {
  const { seal, savedAt } = readKept().drawings[proof.drawing] ?? {};
  if (!seal || !savedAt || Date.parse(savedAt) >= round.getTime()) return undefined;
  return isWitnessed([seal], proof) ? { log: [seal], savedAt } : undefined;
}
