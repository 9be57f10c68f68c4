import { describe, expect, it } from 'vitest';
import { momentsOf, wallTimeOf, zoneNameAt } from './siteTime';

const isoOf = (wallTime: string, timeZone: string) =>
  momentsOf(wallTime, timeZone).map((moment) => moment.toISOString());

describe('a time where the site is', () => {
  it.each<[string, string, string[]]>([
    ['2026-11-21T15:04', 'America/New_York', ['2026-11-21T20:04:00.000Z']],
    ['2026-07-04T00:00', 'America/New_York', ['2026-07-04T04:00:00.000Z']],
    ['2026-12-31T23:59', 'America/New_York', ['2027-01-01T04:59:00.000Z']],
    // Clocks go from 1:59 to 3:00.
    ['2026-03-08T01:59', 'America/New_York', ['2026-03-08T06:59:00.000Z']],
    ['2026-03-08T02:00', 'America/New_York', []],
    ['2026-03-08T02:59', 'America/New_York', []],
    ['2026-03-08T03:00', 'America/New_York', ['2026-03-08T07:00:00.000Z']],
    // Clocks go from 1:59 back to 1:00.
    ['2026-11-01T00:59', 'America/New_York', ['2026-11-01T04:59:00.000Z']],
    [
      '2026-11-01T01:30',
      'America/New_York',
      ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z'],
    ],
    ['2026-11-01T02:00', 'America/New_York', ['2026-11-01T07:00:00.000Z']],
    // Half an hour at a time, and none at all.
    [
      '2026-04-05T01:45',
      'Australia/Lord_Howe',
      ['2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z'],
    ],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', []],
    ['2026-03-08T02:30', 'Asia/Kolkata', ['2026-03-07T21:00:00.000Z']],
    ['2026-03-08T02:30', 'UTC', ['2026-03-08T02:30:00.000Z']],
    ['2011-12-30T12:00', 'Pacific/Apia', []], // a day that was skipped
    ['', 'UTC', []],
    ['2026-13-01T00:00', 'UTC', []],
  ])('%s in %s is %j', (wallTime, timeZone, moments) => {
    expect(isoOf(wallTime, timeZone)).toEqual(moments);
  });

  it.each(['2026-03-07', '2026-10-31'])('is read back around a change of the clocks: %s', (day) => {
    const start = Date.parse(`${day}T00:00:00Z`);
    for (let hour = 0; hour < 72; hour += 1) {
      const moment = new Date(start + hour * 3_600_000);
      const wallTime = wallTimeOf(moment, 'America/New_York');
      const times = momentsOf(wallTime, 'America/New_York').map((each) => each.getTime());
      expect(times, wallTime).toContain(moment.getTime());
    }
  });

  it("has the zone's own name, by the day", () => {
    const [first, second] = momentsOf('2026-11-01T01:30', 'America/New_York');
    expect(first && zoneNameAt(first, 'America/New_York')).toBe('EDT');
    expect(second && zoneNameAt(second, 'America/New_York')).toBe('EST');
  });
});
