import type { LandingPageView } from '../../api/admin';

/** The forms in which a welcome message may ask for the entrant's referral link; the server has the same list. */
export const placeholders = [
  '[your-link]',
  '{your-link}',
  '[LINK]',
  '{LINK}',
  '[USER_LINK]',
  '{USER_LINK}',
  '[REFERRAL_LINK]',
  '{REFERRAL_LINK}',
] as const;

const anyPlaceholder =
  /\[(?:your-link|(?:USER_|REFERRAL_)?LINK)\]|\{(?:your-link|(?:USER_|REFERRAL_)?LINK)\}/g;

/** A link as entrants of this raffle get one of their own. */
export const exampleLink = (landingPage: LandingPageView): string =>
  `${location.origin}/${landingPage}/ref/ABCD2345`;

/** What an entrant reads. */
export const exampleText = (message: string, landingPage: LandingPageView): string =>
  message.trim().replace(anyPlaceholder, () => exampleLink(landingPage));

export const hasLink = (message: string): boolean =>
  placeholders.some((placeholder) => message.includes(placeholder));
