/** Entries of the public log: docs/drawing.md, section 1. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { LogEntry, Proof } from './proof';

const MEMBERS = [
  'id',
  'action',
  'drawing',
  'details',
  'randomSeed',
  'participantCount',
  'verificationHash',
  'session',
  'at',
  'previous',
] as const;

/** What stands before the first entry. */
const NO_HASH = '0'.repeat(64);

export function logText(entry: LogEntry): string {
  const lines = MEMBERS.map((member) => `${member} ${entry[member] ?? '-'}\n`);
  return `tombola-drawing/1 log\n${lines.join('')}`;
}

export const logHash = (entry: LogEntry): string => bytesToHex(sha256(utf8ToBytes(logText(entry))));

/** The entries of an answer of the log: one of JSON in each line. */
export function readLog(text: string): LogEntry[] {
  const lines = text.split('\n').filter((line) => line);
  return lines.map((line) => JSON.parse(line) as LogEntry);
}

/** What is wrong with the chain of these entries, in a sentence, or nothing. It may begin anywhere. */
export function checkChain(entries: LogEntry[]): string | undefined {
  let before: LogEntry | undefined;
  for (const entry of entries) {
    const follows = before
      ? entry.id === before.id + 1 && entry.previous === before.hash
      : entry.id !== 1 || entry.previous === NO_HASH;
    if (!follows) return `Entry ${entry.id} does not follow the entry before it.`;
    if (logHash(entry) !== entry.hash) return `The hash of entry ${entry.id} is wrong.`;
    before = entry;
  }
  return undefined;
}

/** What a copy of the log from before the round contradicts, in a sentence, or nothing: `witness` in section 10. */
export function checkWitness(copy: LogEntry[], proof: Proof): string | undefined {
  const broken = checkChain(copy);
  if (broken) return `The copy of the log is broken. ${broken}`;
  for (const entry of copy) {
    const step = [proof.announcement, proof.seal].find(({ id }) => id === entry.id);
    if (step && step.hash !== entry.hash) return `Entry ${entry.id} of the log was another one.`;
    if (isAbout(entry, 'drawing_sealed', proof) && entry.id !== proof.seal.id) {
      return `The log had another seal of this drawing, entry ${entry.id}.`;
    }
  }
  return undefined;
}

/** Whether the copy shows that the seal was there before the random value. */
export function isWitnessed(copy: LogEntry[], proof: Proof): boolean {
  return (
    proof.beacon.chainHash !== 'off' &&
    checkWitness(copy, proof) === undefined &&
    copy.some(({ id }) => id === proof.seal.id) &&
    !copy.some((entry) => isAbout(entry, 'drawing_performed', proof))
  );
}

const isAbout = (entry: LogEntry, action: string, proof: Proof): boolean =>
  entry.action === action && entry.drawing === proof.drawing;
