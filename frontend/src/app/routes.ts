import { generic, themes, type Theme, type ThemeKey } from '../themes';

/** A page that runs in the browser. The other pages (rules, not found, …) are plain HTML. */
export type Route = SignUpRoute | SuccessRoute;

interface SignUpRoute {
  page: 'sign-up';
  path: string;
  theme: Theme;
  referred: boolean;
  unthemed: boolean;
}

interface SuccessRoute {
  page: 'success';
  path: string;
  variantKey: ThemeKey | 'generic';
}

const signUp = (path: string, theme: Theme, referred = false, unthemed = false): SignUpRoute => ({
  page: 'sign-up',
  path,
  theme,
  referred,
  unthemed,
});

const success = (variantKey: SuccessRoute['variantKey']): SuccessRoute => ({
  page: 'success',
  path: successPath(variantKey, '{userId}'),
  variantKey,
});

const ofTheme = (theme: Theme): Route[] => [
  signUp(`/${theme.key}`, theme),
  signUp(`/${theme.key}/ref/{code}`, theme, true),
  success(theme.key),
];

/** `{name}` stands for one segment of the path, as it does for the server that reads pages.json. */
export const routes: Route[] = [
  signUp('/', themes['garden-bag']),
  ...Object.values(themes).flatMap(ofTheme),
  signUp('/ref/{code}', themes['garden-bag'], true, true),
  success('generic'),
];

export function successPath(variantKey: SuccessRoute['variantKey'], userId: number | string) {
  return variantKey === 'generic' ? `/success/${userId}` : `/${variantKey}/success/${userId}`;
}

/** What `data-theme` a page of this route has. */
export function themeOf(route: Route): ThemeKey | 'generic' {
  if (route.page === 'success') return route.variantKey;
  return route.unthemed ? 'generic' : route.theme.key;
}

/** The tab's title; the server writes it into the page, a change of screen needs it again. */
export function titleOf(route: Route): string {
  if (route.page === 'sign-up') {
    return route.unthemed ? generic.pages.referral.metaTitle : route.theme.metaTitle;
  }
  if (route.variantKey === 'generic') return generic.pages.success.metaTitle;
  return `${themes[route.variantKey].successTitle} | Tombola`;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

export function matchPath(path: string): Match | undefined {
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
    if (name && actual) params[name] = decode(actual);
    else if (expected !== actual) return undefined;
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // `%` alone is no escape; the server then knows no such code
  }
}
