import { generic, themes, type ShareCopy, type ThemeKey } from '../../themes';

export type VariantKey = ThemeKey | 'generic';

/** How the five success screens differ; everything else is one page. */
export interface Variant {
  key: VariantKey;
  title: string;
  shareHeading: string;
  /** Before the code in a referral link, after the origin. */
  linkPath: string;
  copy: ShareCopy;
  /** Numbers stay masked even where the server gives them in full. */
  masksNumbers: boolean;
  /** Stays empty but for 'Loading...' until the user record is there. */
  waitsForUser: boolean;
  /** The generic page says more: the entries in the header, what happens next, an empty list's text. */
  isGeneric: boolean;
}

export function variantOf(key: VariantKey): Variant {
  const copy = key === 'generic' ? generic : themes[key];
  return {
    key,
    title: copy.successTitle,
    shareHeading: key === 'garden-bag' ? 'Double Your Chances!' : 'Double Your Chances',
    linkPath: key === 'generic' ? '/ref/' : `/${key}/ref/`,
    copy,
    masksNumbers: key === 'garden-bag',
    waitsForUser: key === 'sustainable-living',
    isGeneric: key === 'generic',
  };
}
