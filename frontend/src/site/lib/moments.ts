import { siteTimeZone } from '../../shared/lib/nextDrawing';

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

/** `tomorrow`, `today at 9:00 PM` or `on December 1, 2026`: a moment ahead, where the visitor is. */
export function dayAheadInWords(moment: string): string {
  const then = new Date(moment);
  const now = new Date();
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  if (then < tomorrow) return `today at ${timeOfDay(then.getTime())}`;
  const dayAfter = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 2);
  if (then < dayAfter) return 'tomorrow';
  return `on ${then.toLocaleDateString('en-US', { dateStyle: 'long' })}`;
}

/** `3:14 PM` where the visitor is. */
export const timeOfDay = (moment: number): string =>
  new Date(moment).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
