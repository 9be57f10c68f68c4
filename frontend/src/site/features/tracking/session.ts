import { recall, remember } from '../../lib/tabStorage';

const SESSION = 'tombola.session';

/** One for each tab, from its first page until it is closed. */
export function sessionId(): string {
  const known = recall(SESSION);
  if (known) return known;
  const id = uuidV7(Date.now());
  remember(SESSION, id);
  return id;
}

/** Begins with the time, on purpose: new sessions lie side by side in the server's index. */
export function uuidV7(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  bytes[2] = (bytes[2]! & 0x3f) | 0x80; // the variant, as the version 7 below is required
  const random = toHex(bytes);
  const parts = [time.slice(0, 8), time.slice(8), `7${random.slice(1, 4)}`];
  return [...parts, random.slice(4, 8), random.slice(8)].join('-');
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const underWay = new Set<string>();

/** Reports what counts once in a session. What failed was not reported: the next page tries again. */
export async function oncePerSession(key: string, report: () => Promise<void>): Promise<void> {
  if (underWay.has(key) || recall(key)) return;
  underWay.add(key);
  try {
    await report();
    remember(key, '1');
  } finally {
    underWay.delete(key);
  }
}
