/**
 * The 1st of the coming month in the site's time zone, in words (D29): the browser's clock decides.
 * The inline boot script uses this too, so it imports nothing.
 */
export function nextDrawing(now: Date, timeZone: string): string {
  const parts = { timeZone, year: 'numeric', month: 'numeric' } as const;
  const [month, year] = now.toLocaleDateString('en-US', parts).split('/');
  // Date counts months from 0, so this month's number is the next month's index.
  const first = new Date(+year!, +month!);
  return first
    .toLocaleDateString('en-US', { year: 'numeric', month: 'long' })
    .replace(' ', ' 1st, ');
}

/** Prerendered pages cannot know the date: the boot script writes it into them before they are painted. */
export const WITHOUT_A_CLOCK = 'the 1st of next month';

/** SITE_TIME_ZONE, which the server writes into every page. */
export function siteTimeZone(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="site-time-zone"]');
  return meta?.content || 'America/New_York';
}
