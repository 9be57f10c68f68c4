import type { TrackedPage } from '../features/tracking/tracking';
import { isOurs, pageNames, raffleOf, trackingIdOf } from '../features/planter/variant';
import { countedRoutes, matchIn } from './countedRoutes';

/** Under which name a page is counted. Those without a name, such as the rules, are not counted. */
export function trackedPage(path: string): TrackedPage | undefined {
  if (path === '/welcome') return { name: 'welcome' };
  const trackingId = trackingIdOf(path);
  if (trackingId) {
    const name = pageNames[raffleOf(trackingId)];
    return isOurs(trackingId) ? { name, smsTrackingId: trackingId } : { name };
  }
  const match = matchIn(countedRoutes, path);
  if (!match) return undefined;
  const { page, look } = match.route;
  if (page === 'drawings') return { name: page };
  if (page === 'success') return { name: `${look}-success` };
  return { name: look, referralCode: match.params.code };
}
