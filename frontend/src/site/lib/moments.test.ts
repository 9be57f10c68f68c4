import { afterEach, expect, it, vi } from 'vitest';
import { dayAheadInWords } from './moments';

afterEach(() => vi.useRealTimers());

it.each([
  [new Date(2026, 10, 28, 21), 'today at 9:00 PM'],
  [new Date(2026, 10, 29), 'tomorrow'],
  [new Date(2026, 10, 29, 5), 'tomorrow'],
  [new Date(2026, 11, 1), 'on December 1, 2026'],
])('%s is %s for a visitor on November 28', (moment, words) => {
  vi.useFakeTimers({ now: new Date(2026, 10, 28, 15, 30), toFake: ['Date'] });
  expect(dayAheadInWords(moment.toISOString())).toBe(words);
});
