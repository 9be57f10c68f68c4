import { describe, expect, it } from 'vitest';
import { isOurs, trackingIdOf } from './trackingId';

describe('the tracking id in an address', () => {
  it.each([
    ['/planter/garden-2b4c', 'garden-2b4c'],
    [`/planter/${'a'.repeat(64)}`, 'a'.repeat(64)],
    [`/planter/${'a'.repeat(300)}`, 'a'.repeat(300)],
    ['/planter/a%20b', 'a%20b'],
    ['/planter/%E2%82%AC<b>', '%E2%82%AC<b>'],
    ['/planter/', undefined],
    ['/planter/a/b', undefined],
    ['/garden-bag', undefined],
  ])('of %s is %s', (path, trackingId) => {
    expect(trackingIdOf(path)).toBe(trackingId);
  });

  it('may be one of ours when it is short, and of letters, digits and dashes', () => {
    for (const ours of ['garden-2b4c6d8f9g2h', 'a'.repeat(64)]) expect(isOurs(ours)).toBe(true);
    for (const odd of ['a'.repeat(65), 'a%20b', 'a_b', 'ü', '']) expect(isOurs(odd)).toBe(false);
  });
});
