import { codeIn, decoded } from '../lib/referralCode';

export { AGAIN, MOVED } from '../lib/early';

/** A page that runs in the browser. The other pages (privacy, not found, …) are plain HTML. */
export interface Route {
  page: 'sign-up' | 'success' | 'drawings' | 'claim' | 'your-entry' | 'rules';
  /** `{name}` stands for one segment, as it does for the server that reads pages.json. */
  path: string;
  /** Whether the page has the words and colors of a raffle. */
  look: 'raffle' | 'generic';
}

/** Those that are counted. Routes of raffles come last: any word may be one's key. */
export const countedRoutes: Route[] = [
  { page: 'sign-up', path: '/', look: 'raffle' }, // of the default raffle
  { page: 'sign-up', path: '/ref/{code}', look: 'generic' },
  { page: 'success', path: successPath('generic', '{userId}'), look: 'generic' },
  { page: 'drawings', path: '/drawings', look: 'generic' },
  { page: 'drawings', path: '/drawings/{drawingId}', look: 'generic' },
  { page: 'sign-up', path: '/{raffle}', look: 'raffle' },
  { page: 'sign-up', path: '/{raffle}/ref/{code}', look: 'raffle' },
  { page: 'success', path: successPath('{raffle}', '{userId}'), look: 'raffle' },
];

/** The address of a success page of a raffle, or of the generic one. */
export function successPath(raffle: string, userId: number | string): string {
  return raffle === 'generic' ? `/success/${userId}` : `/${raffle}/success/${userId}`;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

/** The route of a path on a page of this raffle. Pages of other raffles are for the server. */
export function matchIn(
  routes: Route[],
  path: string,
  raffle: string | undefined,
): Match | undefined {
  for (const route of routes) {
    const params = paramsOf(route.path.split('/'), path.split('/'));
    if (params && (!params.raffle || params.raffle === raffle)) return { route, params };
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
