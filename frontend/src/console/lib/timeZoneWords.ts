import { siteTimeZone } from '../../shared/lib/nextDrawing';

/** `New York time` for `America/New_York`; a zone without a city, such as UTC, keeps its name. */
export function timeZoneWords(timeZone = siteTimeZone()): string {
  const names = timeZone.replaceAll('_', ' ').split('/');
  const name = names.at(-1) ?? timeZone;
  return names.length > 1 && names[0] !== 'Etc' ? `${name} time` : name;
}

export const timesNote = (): string => `Times are in ${timeZoneWords()}.`;
