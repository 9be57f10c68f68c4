import { describe, expect, it } from 'vitest';
import { aPackage } from '../../../testing/console/builders';
import {
  bodyOf,
  centsOf,
  countOf,
  newPackage,
  valuesOf,
  type PackageValues,
} from './packageValues';
import { packageSchema } from './schema';

describe('an amount as it was typed', () => {
  it.each([
    ['5', 500],
    ['5.', 500],
    ['5.5', 550],
    ['5.05', 505],
    ['.5', 50],
    ['$1,234.50', 123_450],
    [' 999999.99 ', 99_999_999],
    ['0.29', 29],
    ['-3', -300],
    ['0', 0],
  ])('%j is %d cents', (text, cents) => {
    expect(centsOf(text)).toBe(cents);
  });

  it.each(['', ' ', '.', '$', '-', '5.005', '5,0 0', 'five', '1e3', '5.0.0'])(
    '%j is not a price',
    (text) => {
      expect(centsOf(text)).toBeNaN();
    },
  );
});

describe('a count as it was typed', () => {
  it('is a whole number', () => {
    expect([' 10 ', '1,000', '-1', '007'].map(countOf)).toEqual([10, 1_000, -1, 7]);
    expect(['', '1.5', 'ten', '1e3'].map(countOf)).toEqual([NaN, NaN, NaN, NaN]);
  });
});

describe('the form', () => {
  it('begins with the defaults', () => {
    expect(bodyOf({ ...newPackage, name: 'A', description: 'B' })).toEqual({
      name: 'A',
      description: 'B',
      entries: 10,
      price: 500,
      isPopular: false,
      isActive: true,
      sortOrder: 0,
    });
  });

  it('gives back what it was filled with', () => {
    const edited = aPackage({ entries: 1_000_000, price: 99_999_999, sortOrder: 7 });
    const { name, description, entries, price, isPopular, isActive, sortOrder } = edited;
    const body = { name, description, entries, price, isPopular, isActive, sortOrder };
    expect(bodyOf(valuesOf(edited))).toEqual(body);
  });
});

describe('the rules', () => {
  const good = { ...newPackage, name: 'Starter', description: 'A few more' };

  async function problemWith(changes: Partial<PackageValues>): Promise<string | undefined> {
    return packageSchema.validate({ ...good, ...changes }).then(
      () => undefined,
      (error: Error) => error.message,
    );
  }

  it.each<[Partial<PackageValues>, string]>([
    [{ name: '' }, 'Name is required'],
    [{ name: '   ' }, 'Name is required'],
    [{ name: 'x'.repeat(81) }, 'Name must be at most 80 characters'],
    [{ description: '' }, 'Description is required'],
    [{ description: 'x'.repeat(301) }, 'Description must be at most 300 characters'],
    [{ entries: '' }, 'Must be at least 1 entry'],
    [{ entries: '0' }, 'Must be at least 1 entry'],
    [{ entries: '-5' }, 'Must be at least 1 entry'],
    [{ entries: '2.5' }, 'Must be a whole number'],
    [{ entries: '1000001' }, 'Must be at most 1,000,000 entries'],
    [{ price: '' }, 'Price must be greater than 0'],
    [{ price: '0.00' }, 'Price must be greater than 0'],
    [{ price: '-1' }, 'Price must be greater than 0'],
    [{ price: '5.005' }, 'Enter dollars and cents, such as 5.00'],
    [{ price: '1000000' }, 'Price must be at most $999,999.99'],
    [{ sortOrder: '' }, 'Must be a whole number, 0 or more'],
    [{ sortOrder: '-1' }, 'Must be a whole number, 0 or more'],
  ])('refuse %j', async (changes, message) => {
    expect(await problemWith(changes)).toBe(message);
  });

  it.each<Partial<PackageValues>>([
    {},
    { name: 'x'.repeat(80), description: 'x'.repeat(300) },
    { entries: '1', price: '0.01', sortOrder: '0' },
    { entries: '1,000,000', price: '$999,999.99', sortOrder: '12' },
  ])('let %j pass', async (changes) => {
    expect(await problemWith(changes)).toBeUndefined();
  });
});
