import {
  countedRoutes,
  matchIn,
  successPath,
  themeKeys,
  type Look,
  type Match,
  type Route,
} from './countedRoutes';

export { AGAIN, successPath, type Look, type Match, type Route } from './countedRoutes';

/** The address of a claim is a secret, so the tracking script does not know it. Its raffle is known once the claim is there. */
const claim: Route[] = [
  { page: 'claim', path: '/claim', look: 'generic' },
  { page: 'claim', path: '/claim/{token}', look: 'generic' },
];

/** The screens behind the success pages: what somebody does with their own data is not counted. */
const yourEntry = [...themeKeys, 'generic' as const].map((look: Look): Route => ({
  page: 'your-entry',
  path: `${successPath(look, '{userId}')}/your-entry`,
  look,
}));

/** Like the other pages about what is legal, those of the rules are not counted. They are the terms and conditions, too. */
const rules: Route[] = [
  { page: 'rules', path: '/terms', look: 'generic' },
  { page: 'rules', path: '/rules', look: 'generic' },
  { page: 'rules', path: '/rules/{version}', look: 'generic' },
];

export const routes: Route[] = [...countedRoutes, ...claim, ...yourEntry, ...rules];

export const matchPath = (path: string): Match | undefined => matchIn(routes, path);
