import { countedRoutes, matchIn, successPath, type Match, type Route } from './countedRoutes';

export { AGAIN, MOVED, successPath, type Match, type Route } from './countedRoutes';

/** The address of a claim is a secret, so the tracking script does not know it. Its raffle is known once the claim is there. */
const claim: Route[] = [
  { page: 'claim', path: '/claim', look: 'generic' },
  { page: 'claim', path: '/claim/{token}', look: 'generic' },
];

/** The screens behind the success pages: what somebody does with their own data is not counted. */
const yourEntry: Route[] = [
  { page: 'your-entry', path: `${successPath('{raffle}', '{userId}')}/your-entry`, look: 'raffle' },
  {
    page: 'your-entry',
    path: `${successPath('generic', '{userId}')}/your-entry`,
    look: 'generic',
  },
];

/** Like the other pages about what is legal, those of the rules are not counted. They are the terms and conditions, too. */
const rules: Route[] = [
  { page: 'rules', path: '/terms', look: 'generic' },
  { page: 'rules', path: '/rules', look: 'generic' },
  { page: 'rules', path: '/rules/{version}', look: 'generic' },
];

export const routes: Route[] = [...claim, ...yourEntry, ...rules, ...countedRoutes];

export const matchPath = (path: string, raffle: string | undefined): Match | undefined =>
  matchIn(routes, path, raffle);
