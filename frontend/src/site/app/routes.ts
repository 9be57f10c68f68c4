import { countedRoutes, matchIn, type Match, type Route } from './countedRoutes';

export { AGAIN, successPath, type Look, type Match, type Route } from './countedRoutes';

/** The address of a claim is a secret, so the tracking script does not know it. Its raffle is known once the claim is there. */
const claim: Route = { page: 'claim', path: '/claim/{token}', look: 'generic' };

export const routes: Route[] = [...countedRoutes, claim];

export const matchPath = (path: string): Match | undefined => matchIn(routes, path);
