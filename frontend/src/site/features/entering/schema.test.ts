import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SchemaDescription } from 'yup';
import { enterSchema } from './schema';

interface PhoneRule {
  minLength: number;
  maxLength: number;
  pattern: string;
}

const openapi = JSON.parse(readFileSync('../docs/openapi.json', 'utf8')) as {
  components: { schemas: Record<string, { properties: { phoneNumber: PhoneRule } }> };
};

const messageFor = async (phoneNumber: string) =>
  enterSchema.validate({ phoneNumber }).then(
    () => undefined,
    (error: Error) => error.message,
  );

describe('the phone number rules', () => {
  it.each([
    '(555) 123-4567',
    '555-123-4567',
    '5551234567',
    '1-555-123-4567',
    '+1 555 123 4567',
    '  5551234567  ',
    '\u202d(555) 123\u20114567\u202c',
    '٥٥٥١٢٣٤٥٦٧',
  ])('take %s', async (phone) => {
    expect(await messageFor(phone)).toBeUndefined();
  });

  it.each(['', '555-1234', '    555       '])('find %j too short', async (phone) => {
    expect(await messageFor(phone)).toBe('Phone number must be at least 10 digits');
  });

  it('find 21 characters too long', async () => {
    expect(await messageFor('555 123 4567 555 1234')).toBe('Phone number is too long');
  });

  it.each(['555-123-4567 ext', '5551234567+', '555.123.4567'])(
    'find signs in %s that no number has',
    async (phone) => {
      expect(await messageFor(phone)).toBe(
        'Phone number can only contain digits, spaces, dashes, parentheses, and plus sign',
      );
    },
  );

  it('count characters and not UTF-16 units: nine emoji are too short', async () => {
    expect(await messageFor('🎟'.repeat(9))).toBe('Phone number must be at least 10 digits');
  });

  it('give the trimmed number', async () => {
    const values = await enterSchema.validate({ phoneNumber: ' 5551234567 ' });
    expect(values).toEqual({ phoneNumber: '5551234567', smsConsent: false });
  });

  it.each(['RegisterBody', 'RegisterReferredBody'])(
    'are those that the server states for %s',
    (body) => {
      const stated = openapi.components.schemas[body]?.properties.phoneNumber;
      const described = (enterSchema.describe().fields.phoneNumber as SchemaDescription).tests;
      const param = (name: string, key: string) =>
        described.find((test) => test.name === name)?.params?.[key];
      expect(param('min', 'min')).toBe(stated?.minLength);
      expect(param('max', 'max')).toBe(stated?.maxLength);
      expect((param('matches', 'regex') as RegExp).source).toBe(stated?.pattern);
    },
  );
});
