import { siteTimeZone } from './nextDrawing';

/** Figures and dates as staff read them. */
export const formatCount = (value: number): string => value.toLocaleString('en-US');

/** `1 text`, `1,200 texts`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** `12.3%`; a fraction of 0.1234 is 12.34 percent. */
export function formatPercent(percent: number, digits: number): string {
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${percent.toLocaleString('en-US', fixed)}%`;
}

export const formatDecimal = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Cents as dollars: `$1,234.50`. */
export const formatMoney = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

/** `$0.40 per entry`. */
export function costPerEntry(cents: number, entries: number): string {
  const each = cents / entries;
  return `${each < 0.5 ? 'less than $0.01' : formatMoney(each)} per entry`;
}

/** Seconds as minutes and seconds: `3m 25s`. */
export function formatMinutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${formatCount(Math.floor(whole / 60))}m ${whole % 60}s`;
}

const LONG_S = 60_000; // a thousand minutes

/** A time of a thousand minutes or more as people say it: `1 day 5 hours`. */
export function inDaysAndHours(seconds: number): string | undefined {
  if (seconds < LONG_S) return undefined;
  const hours = Math.round(seconds / 3_600);
  const parts = [
    { count: Math.floor(hours / 24), unit: 'day' },
    { count: hours % 24, unit: 'hour' },
  ];
  return parts
    .filter(({ count }) => count)
    .map(({ count, unit }) => countOf(count, unit))
    .join(' ');
}

/** `Nov 21, 2026, 3:04 PM`, in the time zone of the site. */
export function formatDateTime(moment: string): string {
  return new Date(moment).toLocaleString('en-US', {
    timeZone: siteTimeZone(),
    dateStyle: 'medium',
    timeStyle: 'short',
  });
}

/** `Nov 21, 2026`, in the time zone of the site. */
export function formatDay(moment: string): string {
  return new Date(moment).toLocaleString('en-US', {
    timeZone: siteTimeZone(),
    dateStyle: 'medium',
  });
}

/** A key such as `used-free` or `pageView` in words: `Used Free`, `Page View`. */
export function inWords(key: string): string {
  const spaced = key.replace(/[-_]+/g, ' ').replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return spaced.replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase());
}
