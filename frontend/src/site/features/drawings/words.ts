import type { PrizeView } from '../../api/generatedDrawings';

export { dayInWords, momentInWords } from '../../lib/moments';

export { raffleName as raffleNameOf } from '../../lib/pageRaffle';

export function countOf(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** Where a seed came from: docs/drawing.md, section 2. */
export const sourceInWords = (seedSource: string): string =>
  seedSource === 'os'
    ? "the random number generator of our server's operating system"
    : `a source that calls itself “${seedSource}”`;

/** `November 2026` for the period `2026-11`. */
export function periodInWords(period: string): string {
  const first = new Date(`${period}-01T00:00:00Z`);
  if (Number.isNaN(first.getTime())) return period;
  return first.toLocaleString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long' });
}

/** In development, an additional drawing may go without a reason: the server then gives these two words. */
export const extraInWords = (reason: string): string =>
  reason === 'not stated' ? 'Extra drawing' : `Extra drawing: ${reason}`;

/** `Garden Bag Essentials ($150+)`. */
export const prizeInWords = ({ name, value }: PrizeView): string => `${name} (${value})`;
