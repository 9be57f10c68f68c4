import { describe, expect, it } from 'vitest';
import { calendarFile, nextDrawingDay, noonIn } from './calendarFile';

const event = {
  uid: 'garden-bag-2026-12-01@example.com',
  start: new Date('2026-12-01T17:00:00Z'),
  end: new Date('2026-12-01T17:30:00Z'),
  title: 'Tombola: drawing of the Garden Bag Essentials',
  text: 'Planned for this day.\nSee the result: https://example.com/drawings',
  url: 'https://example.com/drawings',
};
const now = new Date('2026-11-23T15:04:05.678Z');

/** The lines as a calendar reads them: continuations joined. */
const linesOf = (file: string) => file.replaceAll('\r\n ', '').split('\r\n');

describe('the file for calendars', () => {
  it('has what RFC 5545 asks for, in UTC, each line ended by CRLF', () => {
    const file = calendarFile(event, now);
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(linesOf(file)).toEqual(
      expect.arrayContaining([
        'VERSION:2.0',
        'UID:garden-bag-2026-12-01@example.com',
        'DTSTAMP:20261123T150405Z',
        'DTSTART:20261201T170000Z',
        'DTEND:20261201T173000Z',
        'SUMMARY:Tombola: drawing of the Garden Bag Essentials',
        'DESCRIPTION:Planned for this day.\\nSee the result: https://example.com/drawings',
        'URL:https://example.com/drawings',
      ]),
    );
  });

  it('escapes what has a meaning in it', () => {
    const lines = linesOf(calendarFile({ ...event, title: 'a, b; c\\d\r\ne' }, now));
    expect(lines).toContain('SUMMARY:a\\, b\\; c\\\\d\\ne');
  });

  it('folds lines at 75 bytes and splits no character', () => {
    const title = 'Größe 🌱 '.repeat(30).trim();
    const file = calendarFile({ ...event, title }, now);
    for (const line of file.split('\r\n')) {
      expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
    }
    expect(linesOf(file)).toContain(`SUMMARY:${title}`);
  });
});

describe('the day of the next drawing', () => {
  it.each([
    ['2026-11-23T12:00:00Z', '2026-12-01'],
    ['2026-12-01T12:00:00Z', '2027-01-01'],
    ['2026-12-01T03:00:00Z', '2026-12-01'], // still November in New York
  ])('at %s is %s', (at, day) => {
    expect(nextDrawingDay(new Date(at))).toBe(day);
  });

  it.each([
    ['America/New_York', '2026-12-01', '2026-12-01T17:00:00.000Z'],
    ['America/New_York', '2026-07-01', '2026-07-01T16:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T17:00:00.000Z'], // clocks change that night
    ['Pacific/Kiritimati', '2026-12-01', '2026-11-30T22:00:00.000Z'],
    ['Asia/Kolkata', '2026-12-01', '2026-12-01T06:30:00.000Z'],
  ])('has noon in %s on %s at %s', (timeZone, day, moment) => {
    expect(noonIn(timeZone, day).toISOString()).toBe(moment);
  });
});
