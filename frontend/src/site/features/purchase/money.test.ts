import { describe, expect, it } from 'vitest';
import { costPerEntry, formatPrice } from './money';

describe('prices', () => {
  it.each([
    [500, '$5.00'],
    [1, '$0.01'],
    [99_999_999, '$999,999.99'],
  ])('%i cents are %s', (cents, shown) => {
    expect(formatPrice(cents)).toBe(shown);
  });

  it.each([
    [500, 10, '$0.50 per entry'],
    [500, 300, '$0.017 per entry'],
    [100, 1, '$1.00 per entry'],
    [1, 1_000_000, 'less than $0.001 per entry'],
  ])('%i cents for %i entries are %s', (cents, entries, shown) => {
    expect(costPerEntry(cents, entries)).toBe(shown);
  });
});
