import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { raffleNames } from '../../../shared/lib/raffleNames';

/** The key itself for a raffle that this page does not know. */
export const raffleNameOf = (key: string): string =>
  (raffleNames as Record<string, string>)[key] ?? key;

/** `December 1, 2026`, in the time zone of the site. */
export const dayInWords = (moment: string): string =>
  new Date(moment).toLocaleString('en-US', { timeZone: siteTimeZone(), dateStyle: 'long' });

/** `December 1, 2026 at 12:00 AM EST`, in the time zone of the site. */
export const momentInWords = (moment: string): string =>
  new Date(moment).toLocaleString('en-US', {
    timeZone: siteTimeZone(),
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });

export function countOf(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** Where a seed came from: docs/drawing.md, section 1.1. */
export const sourceInWords = (seedSource: string): string =>
  seedSource === 'os'
    ? 'the random number generator of our server’s operating system'
    : `a source that calls itself “${seedSource}”`;

/** `November 2026` for the period `2026-11`. */
export function periodInWords(period: string): string {
  const first = new Date(`${period}-01T00:00:00Z`);
  if (Number.isNaN(first.getTime())) return period;
  return first.toLocaleString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long' });
}
