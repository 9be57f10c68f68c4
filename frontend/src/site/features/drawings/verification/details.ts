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
