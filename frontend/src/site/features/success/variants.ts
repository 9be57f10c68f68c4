import type { Copy, ShareTexts } from '../../../themes/types';
import { worthOf } from '../../../shared/lib/inDollars';

/** How success screens differ; everything else is one page. */
export interface Variant {
  title: string;
  /** The raffle that was entered. */
  raffle: string;
  palette: string;
  /** What can be won, without its article, and what it is worth. */
  name: string;
  worth: string;
  /** What can be won, after "You're entered to win". */
  prize: string;
  shareHeading: string;
  /** Before the code in a referral link, after the origin. */
  linkPath: string;
  /** Before the id in the address of a success page. */
  successPath: string;
  share: ShareTexts;
  /** Numbers stay masked even where the server gives them in full. */
  masksNumbers: boolean;
  /** Stays empty but for 'Loading...' until the user record is there. */
  waitsForUser: boolean;
  /** Of a raffle that has ended, nothing is shared, bought or got for free. */
  isOpen: boolean;
  /** The generic page says more: the entries in the header, what happens next, an empty list's text. */
  isGeneric: boolean;
}

export function variantOf({ raffle, generic }: Copy): Variant {
  const { key, name, palette, isOpen } = raffle;
  const { successTitle, shareHeading, share } = generic ?? raffle;
  return {
    title: successTitle,
    raffle: key,
    palette,
    name,
    worth: worthOf(raffle),
    prize: `the ${name}`,
    shareHeading,
    linkPath: generic ? '/ref/' : `/${key}/ref/`,
    successPath: generic ? '/success/' : `/${key}/success/`,
    share,
    masksNumbers: !generic && raffle.masksNumbers,
    waitsForUser: isOpen && !generic && raffle.waitsForUser,
    isOpen,
    isGeneric: generic !== undefined,
  };
}

/** The screen behind a success page: src/site/app/routes.ts has its pattern. */
export const yourEntryPath = ({ successPath }: Variant, id: number): string =>
  `${successPath}${id}/your-entry`;
