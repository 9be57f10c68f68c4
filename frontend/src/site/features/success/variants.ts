import type { GenericTheme, ShareCopy, Theme, ThemeKey } from '../../../themes/types';

/** How the five success screens differ; everything else is one page. */
export interface Variant {
  title: string;
  raffle: ThemeKey;
  /** What can be won, after "You're entered to win". */
  prize: string;
  shareHeading: string;
  /** Before the code in a referral link, after the origin. */
  linkPath: string;
  /** Before the id in the address of a success page. */
  successPath: string;
  copy: ShareCopy;
  /** Numbers stay masked even where the server gives them in full. */
  masksNumbers: boolean;
  /** Stays empty but for 'Loading...' until the user record is there. */
  waitsForUser: boolean;
  /** The generic page says more: the entries in the header, what happens next, an empty list's text. */
  isGeneric: boolean;
}

export function variantOf(copy: Theme | GenericTheme): Variant {
  return {
    title: copy.successTitle,
    raffle: copy.key === 'generic' ? 'garden-bag' : copy.key,
    prize: `the ${copy.name}`,
    shareHeading: copy.key === 'garden-bag' ? 'Double Your Chances!' : 'Double Your Chances',
    linkPath: copy.key === 'generic' ? '/ref/' : `/${copy.key}/ref/`,
    successPath: copy.key === 'generic' ? '/success/' : `/${copy.key}/success/`,
    copy,
    masksNumbers: copy.key === 'garden-bag',
    waitsForUser: copy.key === 'sustainable-living',
    isGeneric: copy.key === 'generic',
  };
}

/** The screen behind a success page: src/site/app/routes.ts has its pattern. */
export const yourEntryPath = ({ successPath }: Variant, id: number): string =>
  `${successPath}${id}/your-entry`;
