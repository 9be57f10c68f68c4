import { describe, expect, it } from 'vitest';
import { timesNote, timeZoneWords } from './timeZoneWords';

describe('a time zone', () => {
  it.each([
    ['America/New_York', 'New York time'],
    ['America/Argentina/Buenos_Aires', 'Buenos Aires time'],
    ['Europe/Berlin', 'Berlin time'],
    ['UTC', 'UTC'],
    ['Etc/UTC', 'UTC'],
  ])('%s is called %s', (zone, words) => {
    expect(timeZoneWords(zone)).toBe(words);
  });

  it('is the one of the site unless told otherwise', () => {
    expect(timesNote()).toBe('Times are in New York time.');
  });
});
