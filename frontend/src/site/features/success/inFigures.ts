import type { UserStats } from './api';

// eslint-disable-next-line @typescript-eslint/unbound-method -- a getter, which gives a bound function
export const grouped: (count: number) => string = new Intl.NumberFormat('en-US').format;

const source = (count: number, from: string) => (count ? ` · ${grouped(count)} ${from}` : '');

/**
 * The figures as the page shows them, after the texts that have one in them: where the entries beside the first come from.
 * A figure that the server left out has its first value.
 */
export const inFigures = ({
  totalEntries = 1,
  referralCount = 0,
  bonusEntries = 0,
  freeEntries = 0,
  paidEntries = 0,
}: Partial<UserStats>) => ({
  fromFriends: source(bonusEntries - freeEntries, 'from friends'),
  free: source(freeEntries, 'free'),
  bought: source(paidEntries, 'bought'),
  total: grouped(totalEntries),
  next: grouped(totalEntries + 1),
  friends: grouped(referralCount),
  bonus: grouped(paidEntries),
});
