import type { Raffle } from '../../themes/types';

/** `$1,250`, or `$12.50`: as crates/domain/raffle/src/content.rs writes it. */
export const inDollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: cents % 100 ? 2 : 0,
  });

/** What a prize is worth: `$150+` where it is that or more. */
export const worthOf = ({ totalValue: { dollars, orMore } }: Raffle): string =>
  inDollars(dollars * 100) + (orMore ? '+' : '');
