import { describe, expect, it } from 'vitest';
import { daysBefore, today } from './days';
import {
  costPerEntry,
  formatCount,
  formatDateTime,
  formatMinutes,
  formatMoney,
  formatPercent,
  inDaysAndHours,
  inWords,
} from './format';

describe('figures', () => {
  it('are written as people read them', () => {
    expect(formatCount(9_999_999)).toBe('9,999,999');
    expect(formatPercent(14.8593912741, 2)).toBe('14.86%');
    expect(formatPercent(0, 1)).toBe('0.0%');
    expect(formatPercent(1_234.5, 2)).toBe('1,234.50%');
  });

  it.each([
    [205.4, '3m 25s'],
    [0, '0m 0s'],
    [59.6, '1m 0s'],
    [600_000, '10,000m 0s'],
  ])('of %d seconds are %s', (seconds, text) => {
    expect(formatMinutes(seconds)).toBe(text);
  });
});

describe('a long time', () => {
  it.each([
    [59_999, undefined],
    [60_000, '17 hours'],
    [86_000, '1 day'],
    [102_768, '1 day 5 hours'],
    [180_000, '2 days 2 hours'],
    [90_000_000, '1,041 days 16 hours'],
  ])('of %d seconds is %s', (seconds, words) => {
    expect(inDaysAndHours(seconds)).toBe(words);
  });
});

describe('money', () => {
  it('is dollars with two decimals', () => {
    expect(formatMoney(500)).toBe('$5.00');
    expect(formatMoney(1)).toBe('$0.01');
    expect(formatMoney(99_999_999)).toBe('$999,999.99');
    expect(formatMoney(100 / 3)).toBe('$0.33');
  });

  it.each([
    [500, 10, '$0.50 per entry'],
    [4_990, 100, '$0.50 per entry'],
    [500, 300, '$0.02 per entry'],
    [100, 1, '$1.00 per entry'],
    [1, 2, '$0.01 per entry'],
    [1, 1_000_000, 'less than $0.01 per entry'],
  ])('of %i cents for %i entries is %s', (cents, entries, shown) => {
    expect(costPerEntry(cents, entries)).toBe(shown);
  });
});

describe('keys in words', () => {
  it.each([
    ['pageView', 'Page View'],
    ['signUp', 'Sign Up'],
    ['garden-bag', 'Garden Bag'],
    ['flag_user', 'Flag User'],
    ['smsClick', 'Sms Click'],
  ])('%s reads %s', (key, words) => {
    expect(inWords(key)).toBe(words);
  });
});

describe('days', () => {
  it('are those of the site', () => {
    expect(today(new Date('2026-11-22T03:00:00Z'))).toBe('2026-11-21');
    expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28');
  });

  it('come with their time in the zone of the site', () => {
    expect(formatDateTime('2026-11-22T03:00:00Z')).toMatch(/^Nov 21, 2026, 10:00\sPM$/);
  });
});
