import type { UserStats } from './api';

const number = new Intl.NumberFormat('en-US');

export const grouped = (count: number): string => number.format(count);

const source = (count: number, from: string) => (count ? ` · ${grouped(count)} ${from}` : '');

/**
 * The figures as the page shows them, and where the entries beside the first come from; a figure that the server left out
 * has its first value.
 */
export const inFigures = ({
  totalEntries = 1,
  referralCount = 0,
  bonusEntries = 0,
  freeEntries = 0,
  paidEntries = 0,
}: Partial<UserStats>) => ({
  total: grouped(totalEntries),
  next: grouped(totalEntries + 1),
  friends: grouped(referralCount),
  bonus: grouped(paidEntries),
  fromFriends: source(bonusEntries - freeEntries, 'from friends'),
  free: source(freeEntries, 'free'),
  bought: source(paidEntries, 'bought'),
});
