/** Whether the prize is the one that was promised: docs/drawing.md, section 10, number 3. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { asMembers, membersOf, prizeOf, versionOf, type Prize } from './details';
import type { Proof } from './proof';

/** What is wrong, in a sentence, or nothing. */
export function checkPrize({ announcement, version }: Proof): string | undefined {
  const [prize, announced] = [prizeOf(announcement), versionOf(announcement)];
  if (!prize || announced === undefined) return 'The announcement names no prize.';
  if (announced === null) {
    if (version !== null) return 'There is a version, but none was announced.';
    const isAdditional = membersOf(announcement.details ?? '').kind === 'additional';
    return isAdditional ? undefined : 'Only an extra drawing has a prize of its own.';
  }
  if (typeof version !== 'string') return 'The version that was announced is missing.';
  const hash = bytesToHex(sha256(utf8ToBytes(version)));
  if (hash !== announced.hash) return `The version's hash is ${hash}, not the announced one.`;
  const wrong = differenceOf(membersOf(version), prize);
  return wrong && `The version has another ${wrong} than the announcement.`;
}

/** What differs between what a raffle says and the prize. */
function differenceOf(content: Record<string, unknown>, prize: Prize): string | undefined {
  const { dollars } = asMembers(content.totalValue);
  if (content.name !== prize.name) return 'prize';
  if (spelled(content.kit) !== spelled(prize.kit)) return 'kit';
  const isWorthIt = Number.isInteger(dollars) && (dollars as number) * 100 === prize.valueInCents;
  return isWorthIt ? undefined : 'value';
}

/** The same text for equal values of JSON: the members of an object have no order. */
const spelled = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, inner: unknown) =>
    Array.isArray(inner) || typeof inner !== 'object' || inner === null
      ? inner
      : Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
