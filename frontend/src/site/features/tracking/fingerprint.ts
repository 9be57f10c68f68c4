import { toHex } from './session';

/**
 * Helps to find people who sign up many times. Only what browsers tell every site, and only what stays
 * the same: nothing is drawn, played or measured to tell one device from its likes.
 */
export async function fingerprint(): Promise<string> {
  const traits = JSON.stringify([
    navigator.userAgent,
    navigator.languages,
    [screen.width, screen.height].sort(), // the same whichever way the phone is held
    screen.colorDepth,
    Intl.DateTimeFormat().resolvedOptions().timeZone,
    navigator.hardwareConcurrency,
  ]);
  return crypto.subtle ? sha256(traits) : fnv1a(traits);
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toHex(new Uint8Array(digest));
}

/** For plain http, where browsers have no digests. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
