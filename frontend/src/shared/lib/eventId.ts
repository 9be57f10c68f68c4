// 32 signs, so that a random byte picks each with the same probability.
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** 12 random characters that tie a sign-up to the one report of it. */
export function newEventId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}
