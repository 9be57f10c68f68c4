import type { ThemeKey } from '../../themes/types';
import { codeIn, decoded } from '../lib/referralCode';

export { AGAIN } from '../lib/early';

/** What a page looks like: one of the raffles, or none of them. */
export type Look = ThemeKey | 'generic';

/** A page that runs in the browser. The other pages (privacy, not found, …) are plain HTML. */
export interface Route {
  page: 'sign-up' | 'success' | 'drawings' | 'claim' | 'your-entry' | 'rules';
  /** `{name}` stands for one segment, as it does for the server that reads pages.json. */
  path: string;
  look: Look;
}

export const themeKeys: ThemeKey[] = [
  'garden-bag',
  'fresh-sips',
  'kitchen-garden',
  'sustainable-living',
];

const ofTheme = (look: ThemeKey): Route[] => [
  { page: 'sign-up', path: `/${look}`, look },
  { page: 'sign-up', path: `/${look}/ref/{code}`, look },
  { page: 'success', path: successPath(look, '{userId}'), look },
];

/** Those that are counted. */
export const countedRoutes: Route[] = [
  { page: 'sign-up', path: '/', look: 'garden-bag' },
  ...themeKeys.flatMap(ofTheme),
  { page: 'sign-up', path: '/ref/{code}', look: 'generic' },
  { page: 'success', path: successPath('generic', '{userId}'), look: 'generic' },
  { page: 'drawings', path: '/drawings', look: 'generic' },
  { page: 'drawings', path: '/drawings/{drawingId}', look: 'generic' },
];

export function successPath(look: string, userId: number | string): string {
  return look === 'generic' ? `/success/${userId}` : `/${look}/success/${userId}`;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

export function matchIn(routes: Route[], path: string): Match | undefined {
  for (const route of routes) {
    const params = paramsOf(route.path.split('/'), path.split('/'));
    if (params) return { route, params };
  }
  return undefined;
}

function paramsOf(pattern: string[], path: string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = path[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name && actual) {
      const value = name === 'code' ? codeIn(actual) : decoded(actual);
      if (value) params[name] = value;
    } else if (expected !== actual) return undefined;
  }
  return params;
}
