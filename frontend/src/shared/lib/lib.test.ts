import { describe, expect, it } from 'vitest';
import { newEventId } from './eventId';
import { formatPhone, isPhoneNumber, maskPhone, normalizePhone } from './phone';

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

describe('a typed phone number', () => {
  it.each(['5551234567', '(555) 123-4567', '1-555-123-4567', '+1 555 123 4567', '+4915112345678'])(
    'may be written %s',
    (text) => expect(isPhoneNumber(text)).toBe(true),
  );
  it.each([
    '',
    '555',
    '----------',
    '25551234567',
    '+0551234567',
    '+1234567',
    '+12345678', // the server wants ten characters
    'call me',
    '55512345678901',
    '+1 12125557306', // a browser that fills in the calling code twice
    '+1 212 555 73',
  ])('is not %s', (text) => expect(isPhoneNumber(text)).toBe(false));

  it('is the same number in all its spellings', () => {
    const spellings = [
      '5551234567',
      ' (555) 123-4567',
      '1-555-123-4567',
      '+1 555 123 4567',
      '\u202d+1 (555) 123\u20114567\u202c',
      '\u200e(555)\u00a0123\u20134567\u200b',
      '٥٥٥١٢٣٤٥٦٧',
      '５５５１２３４５６７',
      '५५५۱۲۳𝟒𝟓𝟔𝟳',
    ];
    for (const spelling of spellings) expect(isPhoneNumber(spelling), spelling).toBe(true);
    expect(new Set(spellings.map(normalizePhone))).toEqual(new Set(['+15551234567']));
    expect(normalizePhone('+4915112345')).toBe('+4915112345');
  });
});
