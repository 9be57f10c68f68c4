import type { LogEntry } from './proof';

/** The members of an entry's details; none if they are not a JSON object. */
export function detailsOf({ details }: LogEntry): Record<string, unknown> {
  try {
    const members: unknown = JSON.parse(details ?? '');
    const isObject = typeof members === 'object' && members !== null && !Array.isArray(members);
    return isObject ? (members as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export interface RulesStamp {
  version: number;
  /** The SHA-256 of the text. */
  hash: string;
}

const HASH = /^[0-9a-f]{64}$/;

const LIST_MEMBERS = ['root', 'weightsHash'] as const;

export type TakenList = Record<(typeof LIST_MEMBERS)[number], string>;

/** The list that an announcement takes from a void drawing: null if none, and nothing if it does not say so rightly. */
export function takenListOf(announcement: LogEntry): TakenList | null | undefined {
  const { replaces } = detailsOf(announcement);
  if (replaces === null || typeof replaces !== 'object')
    return replaces === null ? null : undefined;
  const list = replaces as Record<string, unknown>;
  const isDrawing = Number.isSafeInteger(list.drawing) && (list.drawing as number) >= 0;
  const hasHashes = LIST_MEMBERS.every(
    (name) => typeof list[name] === 'string' && HASH.test(list[name]),
  );
  return isDrawing && hasHashes ? (list as TakenList) : undefined;
}

/** The official rules that an announcement names. */
export function rulesOf(announcement: LogEntry): RulesStamp | undefined {
  const { version, hash } = (detailsOf(announcement).rules ?? {}) as Record<string, unknown>;
  const isVersion = Number.isSafeInteger(version) && (version as number) >= 0;
  const isNamed = isVersion && typeof hash === 'string' && HASH.test(hash);
  return isNamed ? { version: version as number, hash } : undefined;
}
