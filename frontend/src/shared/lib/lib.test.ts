import { describe, expect, it } from 'vitest';
import { newEventId } from './eventId';
import { formatPhone, maskPhone } from './phone';

describe('event ids', () => {
  it('are 12 characters, and not the same twice', () => {
    const ids = Array.from({ length: 100 }, newEventId);
    for (const id of ids) expect(id).toMatch(/^[a-z2-9]{12}$/);
    expect(new Set(ids).size).toBe(100);
  });
});

describe('phone numbers', () => {
  it('of the region read the way people write them', () => {
    expect(formatPhone('+15551234567')).toBe('(555) 123-4567');
  });

  it('from elsewhere, and masked ones, stay as they are', () => {
    expect(formatPhone('+442071838750')).toBe('+442071838750');
    expect(formatPhone('***-***-4567')).toBe('***-***-4567');
  });

  it('are masked to their last four digits, also when they are already', () => {
    expect(maskPhone('+15551234567')).toBe('***-***-4567');
    expect(maskPhone('***-***-4567')).toBe('***-***-4567');
  });
});
