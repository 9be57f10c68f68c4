import type { LogEntry } from './proof';

type Members = Record<string, unknown>;

/** The members of an entry's details; none if they are not a JSON object. */
export const detailsOf = ({ details }: LogEntry): Members => membersOf(details ?? '');

/** The members of a JSON object; none if the text is something else. */
export function membersOf(text: string): Members {
  try {
    return asMembers(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The members of a value of JSON; none if it is no object. */
export const asMembers = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};

export interface Prize {
  name: string;
  valueInCents: number;
  kit: { item: string; detail: string; valueInCents: number }[];
}

/** The prize that an announcement names. */
export function prizeOf(announcement: LogEntry): Prize | undefined {
  const prize = asMembers(detailsOf(announcement).prize);
  const { name, valueInCents, kit } = prize;
  const isPrize = typeof name === 'string' && isCount(valueInCents) && Array.isArray(kit);
  return isPrize && kit.every(isItem) ? (prize as unknown as Prize) : undefined;
}

function isItem(value: unknown): boolean {
  const { item, detail, valueInCents } = asMembers(value);
  return typeof item === 'string' && typeof detail === 'string' && isCount(valueInCents);
}

export interface VersionStamp {
  number: number;
  /** The SHA-256 of what the raffle says. */
  hash: string;
}

/** The version of the raffle that promises the prize: null for a prize of its own, and nothing if it is not named rightly. */
export function versionOf(announcement: LogEntry): VersionStamp | null | undefined {
  const { version } = detailsOf(announcement);
  if (version === null) return null;
  const { number, hash } = asMembers(version);
  return isCount(number) && number >= 1 && isHash(hash) ? { number, hash } : undefined;
}

export interface RulesStamp {
  version: number;
  /** The SHA-256 of the text. */
  hash: string;
}

const HASH = /^[0-9a-f]{64}$/;

const isHash = (value: unknown): value is string => typeof value === 'string' && HASH.test(value);

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

const LIST_MEMBERS = ['root', 'weightsHash'] as const;

export type TakenList = Record<(typeof LIST_MEMBERS)[number], string>;

/** The list that an announcement takes from a void drawing: null if none, and nothing if it does not say so rightly. */
export function takenListOf(announcement: LogEntry): TakenList | null | undefined {
  const { replaces } = detailsOf(announcement);
  if (replaces === null || typeof replaces !== 'object')
    return replaces === null ? null : undefined;
  const list = replaces as Members;
  const hasHashes = LIST_MEMBERS.every((name) => isHash(list[name]));
  return isCount(list.drawing) && hasHashes ? (list as TakenList) : undefined;
}

/** The official rules that an announcement names. */
export function rulesOf(announcement: LogEntry): RulesStamp | undefined {
  const { version, hash } = asMembers(detailsOf(announcement).rules);
  return isCount(version) && isHash(hash) ? { version, hash } : undefined;
}
