import { describe, expect, it } from 'vitest';
import { codeIn } from './referralCode';

describe('the code in a link', () => {
  it.each([
    'CDFG3467',
    'CDFG3467.',
    'CDFG3467)',
    'CDFG3467!',
    'CDFG3467,',
    'CDFG3467”',
    '“CDFG3467”',
    '%E2%80%9CCDFG3467%E2%80%9D',
    'CDFG3467%E2%80%8B',
    '%E2%80%8BCDFG3467',
    '\u200bCDFG3467\u200b',
    '%20CDFG3467%20',
    'CDFG3467&fbclid=1',
    'CDFG3467%26fbclid=MNPQRTVW',
    'CDFG3467.50%',
    '<CDFG3467>',
    'CDFG3467CDFG', // longer: what comes first
  ])('%s is CDFG3467', (part) => {
    expect(codeIn(part)).toBe('CDFG3467');
  });

  it('keeps its case', () => {
    expect(codeIn('(cdfg3467)')).toBe('cdfg3467');
  });

  it.each(['', '1', 'CDFG346', 'CDFG 3467', 'CDFG-CDFG3467', 'NOSUCHCODE', 'ＣDFG3467', '50%'])(
    '"%s" has none',
    (part) => {
      expect(codeIn(part)).toBeUndefined();
    },
  );
});
