import { expect, it } from 'vitest';
import { contrast } from './contrast';

it('contrast follows the WCAG formula', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});
