/** The raffles in the order in which they are always listed. */
export const raffleNames = {
  'garden-bag': 'Garden Bag Essentials',
  'fresh-sips': 'Fresh Sips Mixology Kit',
  'kitchen-garden': 'Kitchen Garden Essentials',
  'sustainable-living': 'Sustainable Living Starter Kit',
};

/** The name of a raffle's prize; the key of a raffle that this list does not have. */
export const raffleName = (key: string): string =>
  (raffleNames as Record<string, string>)[key] ?? key;
