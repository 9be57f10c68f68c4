/** `$1,250`, or `$12.50`: as crates/domain/raffle/src/content.rs writes it. */
export const inDollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: cents % 100 ? 2 : 0,
  });

interface Valued {
  totalValue: { dollars: number; orMore: boolean };
}

/** What a prize is worth: `$150+` where it is that or more. */
export const worthOf = ({ totalValue: { dollars, orMore } }: Valued): string =>
  inDollars(dollars * 100) + (orMore ? '+' : '');
