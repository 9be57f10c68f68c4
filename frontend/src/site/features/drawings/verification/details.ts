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

/** The official rules that an announcement names. */
export function rulesOf(announcement: LogEntry): RulesStamp | undefined {
  const { version, hash } = (detailsOf(announcement).rules ?? {}) as Record<string, unknown>;
  const isVersion = Number.isSafeInteger(version) && (version as number) >= 0;
  const isNamed = isVersion && typeof hash === 'string' && HASH.test(hash);
  return isNamed ? { version: version as number, hash } : undefined;
}
