import { siteTimeZone } from './nextDrawing';

/** Today as `2026-11-21` where the site is; the Swedish way of writing dates is the ISO one. */
export function today(now = new Date()): string {
  return now.toLocaleDateString('sv-SE', { timeZone: siteTimeZone() });
}

/** The day so many days before another. */
export function daysBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - days);
  return date.toISOString().slice(0, 10);
}
