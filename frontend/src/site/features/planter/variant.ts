import type { ThemeKey } from '../../../themes/types';

interface Rule {
  raffle: ThemeKey;
  /** A tracking id with one of these in it shows the package of the raffle. */
  words: string[];
}

/**
 * In this order: `kitchen-garden-…` shows the garden (D21). The server chooses by the same list, which it reads
 * from pages.json.
 */
export const rules: Rule[] = [
  { raffle: 'garden-bag', words: ['garden'] },
  { raffle: 'fresh-sips', words: ['fresh', 'sips'] },
  { raffle: 'kitchen-garden', words: ['kitchen'] },
  { raffle: 'sustainable-living', words: ['sustainable', 'eco'] },
];

/** What ids without any of the words show. */
export const otherwise: ThemeKey = 'garden-bag';

/** Which raffle's package the page behind a text's link shows. */
export function raffleOf(trackingId: string): ThemeKey {
  const rule = rules.find(({ words }) => words.some((word) => trackingId.includes(word)));
  return rule?.raffle ?? otherwise;
}

/** The name under which the page is counted. */
export const pageNames: Record<ThemeKey, string> = {
  'garden-bag': 'planter-garden',
  'fresh-sips': 'planter-fresh-sips',
  'kitchen-garden': 'planter-kitchen-garden',
  'sustainable-living': 'planter-sustainable-living',
};

/** The id in the address of one of these pages, as it stands there: any text, which may be in no text of ours. */
export function trackingIdOf(path: string): string | undefined {
  return /^\/planter\/([^/]+)$/.exec(path)?.[1];
}

/** Whether the server could have made this id. Any other is not worth a request. */
export function isOurs(trackingId: string): boolean {
  return /^[A-Za-z0-9-]{1,64}$/.test(trackingId);
}
