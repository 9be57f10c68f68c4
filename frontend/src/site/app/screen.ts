import type { ComponentType } from 'react';
import type { ClaimPageProps } from '../features/claim/ClaimPage';
import type { DrawingsPageProps } from '../features/drawings/DrawingsPage';
import type { RulesPageProps } from '../features/rules/RulesPage';
import type { SignUpPageProps } from '../features/entering/SignUpPage';
import type { SuccessScreenProps } from './SuccessScreen';
import type { YourEntryScreenProps } from './YourEntryScreen';
import type { Copy, Raffle } from '../../themes/types';
import { pageRaffle } from '../lib/pageRaffle';
import { matchPath, type Match, type Route } from './routes';
import { siteName, titled } from '../../shared/lib/siteName';

/** Everything that showing a route takes. */
export type Screen = Match &
  (
    | { copy: Copy; SignUpPage: ComponentType<SignUpPageProps> }
    | { copy: Copy; SuccessScreen: ComponentType<SuccessScreenProps> }
    | { copy: Copy; YourEntryScreen: ComponentType<YourEntryScreenProps> }
    | { DrawingsScreen: ComponentType<DrawingsPageProps> }
    | { ClaimPage: ComponentType<ClaimPageProps> }
    | { RulesPage: ComponentType<RulesPageProps> }
  );

async function loadCopy(look: Route['look'], raffle: Raffle): Promise<Copy> {
  if (look === 'raffle') return { raffle };
  return { raffle, ...(await import(/* webpackChunkName: "generic" */ '../../themes/generic')) };
}

// Chunks are named as pages are in the route table: prerendered pages name the files they need.
const loadPage = {
  'sign-up': () => import(/* webpackChunkName: "sign-up" */ '../features/entering/SignUpPage'),
  success: () => import(/* webpackChunkName: "success" */ './SuccessScreen'),
  'your-entry': () => import(/* webpackChunkName: "your-entry" */ './YourEntryScreen'),
  drawings: () => import(/* webpackChunkName: "drawings" */ './DrawingsScreen'),
  claim: () => import(/* webpackChunkName: "claim" */ '../features/claim/ClaimPage'),
  rules: () => import(/* webpackChunkName: "rules" */ '../features/rules/RulesPage'),
};

/** Nothing for a path whose page needs no code, or is of another raffle than this page. */
export async function loadScreen(path: string): Promise<Screen | undefined> {
  const raffle = pageRaffle();
  const match = matchPath(path, raffle?.key);
  if (!match) return undefined;
  const { page, look } = match.route;
  // These have no words of a raffle.
  if (page === 'drawings' || page === 'claim' || page === 'rules') {
    return { ...match, ...(await loadPage[page]()) };
  }
  if (!raffle) return undefined;
  const [copy, file] = await Promise.all([loadCopy(look, raffle), loadPage[page]()]);
  return { ...match, copy, ...file };
}

/** Whose words a screen has: the key of a raffle, or `generic`. */
export const wordsOf = (screen: Screen): string =>
  'copy' in screen && !screen.copy.generic ? screen.copy.raffle.key : 'generic';

/** The colors of a screen. */
export const paletteOf = (screen: Screen): string =>
  'copy' in screen && !screen.copy.generic ? screen.copy.raffle.palette : 'generic';

/** A drawing's own page adds its date. */
const titles = {
  drawings: 'Drawings',
  claim: 'Prize claim',
  rules: 'Official rules',
  'your-entry': 'Your entry and your data',
};

/** The tab's title: the server writes it into the page, a change of screen needs it again. */
export function titleOf({ page }: Match['route'], copy: Copy | undefined): string {
  if (page in titles) return titled(titles[page as keyof typeof titles]);
  if (!copy) return siteName;
  const { raffle, generic } = copy;
  if (!raffle.isOpen) return titled(`${raffle.name}: this raffle has ended`);
  if (generic) return titled(generic.pages[page === 'success' ? 'success' : 'referral'].metaTitle);
  return titled(page === 'success' ? raffle.successTitle : raffle.metaTitle);
}
