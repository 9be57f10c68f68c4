import { afterEach, describe, expect, it } from 'vitest';
import { nextDrawing, siteTimeZone } from './nextDrawing';

describe('the next drawing', () => {
  it.each([
    ['2025-08-15T12:00:00Z', 'September 1st, 2025'],
    ['2025-07-31T12:00:00Z', 'August 1st, 2025'],
    ['2025-12-24T12:00:00Z', 'January 1st, 2026'],
    // The 1st belongs to the month that has begun: that drawing was at midnight.
    ['2025-08-01T12:00:00Z', 'September 1st, 2025'],
  ])('seen on %s is on %s', (now, date) => {
    expect(nextDrawing(new Date(now), 'America/New_York')).toBe(date);
  });

  it('goes by the time zone of the site, not by that of the visitor', () => {
    const lateInNewYork = new Date('2025-09-01T03:30:00Z');
    expect(nextDrawing(lateInNewYork, 'America/New_York')).toBe('September 1st, 2025');
    expect(nextDrawing(lateInNewYork, 'Europe/Berlin')).toBe('October 1st, 2025');
  });
});

describe('the time zone of the site', () => {
  afterEach(() => document.head.replaceChildren());

  it('is what the server wrote into the page', () => {
    document.head.innerHTML = '<meta name="site-time-zone" content="Europe/Berlin">';
    expect(siteTimeZone()).toBe('Europe/Berlin');
  });

  it('is that of New York without it', () => {
    expect(siteTimeZone()).toBe('America/New_York');
  });
});
