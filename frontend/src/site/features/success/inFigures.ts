import type { UserStats } from './api';

const number = new Intl.NumberFormat('en-US');

export const grouped = (count: number): string => number.format(count);

/** The figures as the page shows them; a figure that the server left out has its first value. */
export const inFigures = ({ totalEntries, referralCount, paidEntries }: Partial<UserStats>) => ({
  total: grouped(totalEntries ?? 1),
  friends: grouped(referralCount ?? 0),
  bonus: grouped(paidEntries ?? 0),
});
