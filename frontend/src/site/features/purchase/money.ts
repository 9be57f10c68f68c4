const dollars = (cents: number, digits: number) =>
  (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });

/** Cents as `$5.00`. */
export const formatPrice = (cents: number): string => dollars(cents, 2);

/** With a third digit where two would hide a part of the price. */
export function costPerEntry(priceInCents: number, entries: number): string {
  const cents = priceInCents / entries;
  return `${cents < 0.1 ? 'less than $0.001' : dollars(cents, 3)} per entry`;
}
