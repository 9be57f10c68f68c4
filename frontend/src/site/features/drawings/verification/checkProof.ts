/** What must hold of a proof without its list: docs/drawing.md, section 10. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bytesOf } from './bytes';
import { dueAt, isTime, quicknet } from './chain';
import { checkPrize } from './checkPrize';
import type { DrawCheck, SealCheck } from './checks';
import { detailsOf, prizeOf, rulesOf, takenListOf, versionOf } from './details';
import { logHash } from './log';
import { isUnder } from './merkle';
import {
  SCHEME,
  WITHOUT_BEACON,
  type DrawnProof,
  type LateRound,
  type LogEntry,
  type Proof,
} from './proof';
import { checkRanks, drawOf, firstEntryOf } from './ranks';
import { verificationHash } from './record';

type Problem = string | undefined;

/** Before the draw there is nothing else to check. */
export const sealChecks = {
  scheme: ({ scheme }) =>
    scheme === SCHEME ? undefined : `This page does not know the scheme “${scheme}”.`,

  announcement(proof) {
    const { announcement, beacon } = proof;
    const { scheme, landingPage, period, kind, commitment, seedSource } = proof;
    const announced = { scheme, landingPage, period, kind, commitment, seedSource };
    return (
      checkEntry(announcement, 'drawing_announced', proof) ??
      (announcement.at === proof.committedAt ? undefined : 'It has another time.') ??
      checkDetails(announcement, {
        ...announced,
        beacon: beacon.chainHash,
        round: beacon.round,
      }) ??
      (prizeOf(announcement) ? undefined : 'It names no prize.') ??
      (versionOf(announcement) === undefined
        ? 'It does not say what promises the prize.'
        : undefined) ??
      (rulesOf(announcement) ? undefined : 'It names no official rules.') ??
      (takenListOf(announcement) === undefined ? 'It does not say whose list it takes.' : undefined)
    );
  },

  prize: checkPrize,

  seal(proof) {
    const { seal, announcement, cutOff, root, weightsHash, totalEntries } = proof;
    const opening = detailsOf(announcement);
    const sealed = { cutOff, root, weightsHash, totalEntries };
    return (
      checkEntry(seal, 'drawing_sealed', proof) ??
      (seal.id > announcement.id ? undefined : 'It is not after the announcement.') ??
      (isInTime(seal.at, opening.sealBefore) ? undefined : 'It is too late.') ??
      checkDetails(seal, { ...sealed, opening: announcement.hash, round: proof.beacon.round }) ??
      (seal.randomSeed === proof.seed ? undefined : 'It has another seed.') ??
      (seal.participantCount === proof.totalParticipants
        ? undefined
        : 'It has another number of entrants.') ??
      ([null, undefined, cutOff].includes(opening.cutOff as string)
        ? undefined
        : 'Another cut-off was announced.') ??
      checkTakenList(proof)
    );
  },

  seed({ seed, commitment }) {
    const hash = bytesToHex(sha256(bytesOf(seed, 32)));
    return hash === commitment ? undefined : `The seed's hash is ${hash}, not the commitment.`;
  },

  lastLeaf({ last, root, totalParticipants, totalEntries }) {
    const { index, firstEntry, weight } = last.leaf;
    if (!isUnder(root, totalParticipants, last)) {
      return 'The last line and its path do not lead to the root.';
    }
    if (index !== totalParticipants - 1) {
      return `The last line is number ${index}, of ${totalParticipants} counted from 0.`;
    }
    const entries = firstEntry + weight - 1;
    return entries === totalEntries
      ? undefined
      : `The last line ends at entry ${entries}, but the proof counts ${totalEntries} entries.`;
  },
} satisfies Record<SealCheck, (proof: Proof) => Problem>;

/** All but `beacon`, which stands before them and needs a file of its own. */
export const drawChecks = {
  rankLeaves({ ranks, root, totalParticipants }) {
    const wrong = ranks.find((rank) => !isUnder(root, totalParticipants, rank));
    return wrong && `The line of rank ${wrong.rank} and its path do not lead to the root.`;
  },

  draw(proof) {
    const { ranks, winner, winningEntryNumber } = proof;
    const problem = checkRanks(drawOf(proof, proof.beacon.randomness), ranks);
    if (problem) return problem;
    const [first] = ranks;
    return first?.entryNumber === winningEntryNumber &&
      spelled(first.leaf) === spelled(winner.leaf) &&
      first.path.join() === winner.path.join()
      ? undefined
      : 'The winner is not the first who was drawn.';
  },

  record(proof) {
    const hash = verificationHash(proof);
    return hash === proof.verificationHash
      ? undefined
      : `The hash of this drawing's facts is ${hash}.`;
  },
} satisfies Record<DrawCheck, (proof: DrawnProof) => Problem>;

/** What is wrong by this check, in a sentence, or nothing. What cannot be read is wrong. */
export function outcomeOf(check: () => Problem): Problem {
  try {
    return check();
  } catch (unreadable) {
    return unreadable instanceof Error ? unreadable.message : String(unreadable);
  }
}

export interface BeaconOutcome {
  problem?: string | undefined;
  /** Why the signature could not be checked. */
  unchecked?: string | undefined;
}

type IsValid = (publicKey: string, round: number, signature: string) => boolean;

/** Asks for the code of the signature only when all else holds. */
export async function checkBeacon(
  proof: DrawnProof,
  load: () => Promise<IsValid>,
): Promise<BeaconOutcome> {
  const { chainHash, round, randomness, signature, warning } = proof.beacon;
  if ((warning ?? null) !== (chainHash === 'off' ? WITHOUT_BEACON : null)) {
    return { problem: 'The warning does not fit the beacon.' };
  }
  const { sealBefore } = detailsOf(proof.announcement);
  if (chainHash === 'off') {
    const isOff = round === 0 && signature === null && /^0{64}$/.test(randomness);
    return isOff && sealBefore === null ? {} : { problem: 'There is a value without a beacon.' };
  }
  const isHashed = signature !== null && bytesToHex(sha256(bytesOf(signature, 48))) === randomness;
  if (!isHashed) return { problem: 'The random value is not the hash of the signature.' };
  if (chainHash !== quicknet.chainHash) {
    return { unchecked: 'This page does not know the key of this beacon.' };
  }
  if (!isTime(sealBefore) || Date.parse(sealBefore) >= dueAt(round)) {
    return { problem: "The seal was allowed after the beacon's round." };
  }
  return checkSignature(round, signature, load);
}

async function checkSignature(
  round: number,
  signature: string,
  load: () => Promise<IsValid>,
): Promise<BeaconOutcome> {
  let isValid: IsValid;
  try {
    isValid = await load();
  } catch {
    return { unchecked: 'The code that checks the signature did not arrive.' };
  }
  return isValid(quicknet.publicKey, round, signature)
    ? {}
    : { problem: `The signature is not the one of round ${round}.` };
}

/** The round of a void drawing that came too late, and the entry that would have won. */
export async function checkLateRound(
  proof: Proof,
  { signature, entryNumber }: LateRound,
  load: () => Promise<IsValid>,
): Promise<BeaconOutcome> {
  const { chainHash, round } = proof.beacon;
  const randomness = bytesToHex(sha256(bytesOf(signature, 48)));
  const entry = firstEntryOf(drawOf(proof, randomness));
  if (round === 0 || entry !== entryNumber)
    return { problem: 'It would have drawn another entry.' };
  return chainHash === quicknet.chainHash
    ? checkSignature(round, signature, load)
    : { unchecked: 'This page does not know the key of this beacon.' };
}

const A_DAY = 24 * 60 * 60 * 1_000_000; // in microseconds

/** Whether the seal has the list that was announced, a day later; or none was. */
function checkTakenList({ announcement, seal, committedAt }: Proof): Problem {
  const taken = takenListOf(announcement);
  if (!taken) return undefined;
  const sealed = detailsOf(seal);
  if (sealed.root !== taken.root || sealed.weightsHash !== taken.weightsHash) {
    return 'It has another list than the void drawing.';
  }
  const isADayLater = microsecondsOf(seal.at) - microsecondsOf(committedAt) >= A_DAY;
  return isADayLater ? undefined : 'It came less than a day later.';
}

/** Microseconds of Unix time, which dates do not have. Not a number for what is no time. */
const microsecondsOf = (time: string): number =>
  isTime(time) ? Date.parse(time) * 1000 + Number(time.slice(-4, -1)) : NaN;

function checkEntry(entry: LogEntry, action: string, { drawing }: Proof): Problem {
  const hash = logHash(entry);
  if (hash !== entry.hash) return `The hash of the log's entry is ${hash}.`;
  if (entry.action !== action) return `The log's entry is “${entry.action}”.`;
  return entry.drawing === drawing ? undefined : "The log's entry is about another drawing.";
}

function checkDetails(entry: LogEntry, wanted: Record<string, unknown>): Problem {
  const details = detailsOf(entry);
  const wrong = Object.keys(wanted).find((name) => details[name] !== wanted[name]);
  return wrong && `The log's entry has another ${wrong} than the proof.`;
}

/** Times of one length and zone are in order as texts. */
const isInTime = (at: string, sealBefore: unknown): boolean =>
  sealBefore === null || sealBefore === undefined || (isTime(sealBefore) && at <= sealBefore);

const spelled = ({ index, firstEntry, weight, blindedId }: Proof['last']['leaf']): string =>
  [index, firstEntry, weight, blindedId].join();
