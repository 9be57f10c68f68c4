import type { ComponentType } from 'react';
import type { ClaimPageProps } from '../features/claim/ClaimPage';
import type { DrawingsPageProps } from '../features/drawings/DrawingsPage';
import type { RulesPageProps } from '../features/rules/RulesPage';
import type { SignUpPageProps } from '../features/entering/SignUpPage';
import type { SuccessScreenProps } from './SuccessScreen';
import type { YourEntryScreenProps } from './YourEntryScreen';
import type { GenericTheme, Theme, ThemeKey } from '../../themes/types';
import { matchPath, type Look, type Match } from './routes';
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

/** The words of a page. Someone who enters without a theme enters garden-bag. */
export interface Copy {
  theme: Theme;
  generic?: GenericTheme;
}

// A file for each: a visitor downloads the words of one raffle.
const loadTheme: Record<ThemeKey, () => Promise<Theme>> = {
  'garden-bag': () =>
    import(/* webpackChunkName: "garden-bag" */ '../../themes/garden-bag').then(
      (file) => file.gardenBag,
    ),
  'fresh-sips': () =>
    import(/* webpackChunkName: "fresh-sips" */ '../../themes/fresh-sips').then(
      (file) => file.freshSips,
    ),
  'kitchen-garden': () =>
    import(/* webpackChunkName: "kitchen-garden" */ '../../themes/kitchen-garden').then(
      (file) => file.kitchenGarden,
    ),
  'sustainable-living': () =>
    import(/* webpackChunkName: "sustainable-living" */ '../../themes/sustainable-living').then(
      (file) => file.sustainableLiving,
    ),
};

async function loadCopy(look: Look): Promise<Copy> {
  if (look !== 'generic') return { theme: await loadTheme[look]() };
  const [theme, { generic }] = await Promise.all([
    loadTheme['garden-bag'](),
    import(/* webpackChunkName: "generic" */ '../../themes/generic'),
  ]);
  return { theme, generic };
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

/** Nothing for a path whose page needs no code. */
export async function loadScreen(path: string): Promise<Screen | undefined> {
  const match = matchPath(path);
  if (!match) return undefined;
  const { page, look } = match.route;
  // These have no words of a raffle.
  if (page === 'drawings' || page === 'claim' || page === 'rules') {
    return { ...match, ...(await loadPage[page]()) };
  }
  const [copy, file] = await Promise.all([loadCopy(look), loadPage[page]()]);
  return { ...match, copy, ...file };
}

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
  const { theme, generic } = copy;
  if (generic) return titled(generic.pages[page === 'success' ? 'success' : 'referral'].metaTitle);
  return titled(page === 'success' ? theme.successTitle : theme.metaTitle);
}
