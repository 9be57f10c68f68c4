import { describe, expect, it } from 'vitest';
import { themes } from './';
import { planters } from './planters';

describe('the packages', () => {
  it.each([
    ['garden-bag', 1_735, '12-31', 'December 31st'],
    ['fresh-sips', 1_695, '01-15', 'January 15th'],
    ['kitchen-garden', 1_065, '02-14', 'February 14th'],
    ['sustainable-living', 1_115, '03-22', 'March 22nd'],
  ] as const)('of %s adds up to $%i, and is drawn on %s', (key, total, day, words) => {
    const { prizes, totalValue, drawing } = planters[key];
    expect(prizes.reduce((sum, { value }) => sum + value, 0)).toBe(total);
    expect(totalValue).toBe(`$${total.toLocaleString('en-US')}`);
    expect(drawing).toEqual({ day, words });
  });

  it.each(Object.entries(planters))('of %s names each part, each once', (_key, { prizes }) => {
    expect(new Set(prizes.map(({ item }) => item)).size).toBe(prizes.length);
    for (const { item, detail, value } of prizes) {
      expect(item && detail).toMatch(/\S/);
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThan(1_000); // shown without a comma
    }
  });

  it('are one for each raffle', () => {
    expect(Object.keys(planters)).toEqual(Object.keys(themes));
  });
});
