import { describe, expect, it } from 'vitest';
import { clicksOverTime } from './clicksOverTime';

const START = '2026-11-20T15:20:00Z';

describe('clicks over time', () => {
  it('have a point for each hour of two days', () => {
    const { unit, values, points, span } = clicksOverTime(
      [{ hour: 47, clicked: 2 }],
      START,
      'America/New_York',
    );
    expect([unit, values.length, values.at(-1)]).toEqual(['hour', 48, 2]);
    expect(points[0]).toEqual({ short: '10 AM', full: 'From Nov 20, 10:20 AM' });
    expect(span).toBe('Nov 20 – Nov 22');
  });

  it('have a point for each day when they take longer', () => {
    const clicks = [
      { hour: 0, clicked: 5 },
      { hour: 23, clicked: 1 },
      { hour: 24, clicked: 2 },
      { hour: 48, clicked: 4 },
    ];
    const { unit, values, points } = clicksOverTime(clicks, START, 'America/New_York');
    expect([unit, values]).toEqual(['day', [6, 2, 4]]);
    expect(points.map(({ short }) => short)).toEqual(['Nov 20', 'Nov 21', 'Nov 22']);
  });
});
