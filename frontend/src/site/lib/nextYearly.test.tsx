import { afterEach, describe, expect, it } from 'vitest';
import { yearOfNext } from './nextYearly';

describe('the year of a day that comes each year', () => {
  afterEach(() => document.head.replaceChildren());

  it.each([
    ['12-31', '2026-11-21T12:00:00Z', 2026],
    ['01-15', '2026-11-21T12:00:00Z', 2027],
    ['02-14', '2026-02-13T12:00:00Z', 2026],
    ['02-14', '2026-02-14T12:00:00Z', 2026], // today is not over
    ['02-14', '2026-02-15T12:00:00Z', 2027],
    // The last day of the year has not ended in New York, though it has in London.
    ['12-31', '2027-01-01T04:59:00Z', 2026],
    ['12-31', '2027-01-01T05:00:00Z', 2027],
  ])('%s, seen on %s, is %s', (day, now, year) => {
    expect(yearOfNext(day, new Date(now))).toBe(year);
  });

  it('goes by the time zone of the site', () => {
    document.head.innerHTML = '<meta name="site-time-zone" content="Europe/Berlin">';
    expect(yearOfNext('12-31', new Date('2026-12-31T23:30:00Z'))).toBe(2027);
  });
});
