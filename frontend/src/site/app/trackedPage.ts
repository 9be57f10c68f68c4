import type { TrackedPage } from '../features/tracking/tracking';
import { isOurs, trackingIdOf } from '../features/planter/trackingId';
import { countedRoutes, matchIn } from './countedRoutes';

/** What a page says of itself at its root. */
interface Page {
  /** The key of the raffle whose words it has. */
  raffle?: string;
  /** The name under which the page behind a text's link is counted. */
  countedAs?: string;
}

/** Under which name a page is counted. Those without a name, such as the rules, are not counted. */
export function trackedPage(
  path: string,
  { raffle, countedAs }: Page = document.documentElement.dataset,
): TrackedPage | undefined {
  const trackingId = trackingIdOf(path);
  if (trackingId) {
    const name = countedAs ?? 'welcome';
    return isOurs(trackingId) ? { name, smsTrackingId: trackingId } : { name };
  }
  const match = matchIn(countedRoutes, path, raffle);
  if (!match) return path === '/welcome' ? { name: 'welcome' } : undefined;
  const { page, look } = match.route;
  if (page === 'drawings') return { name: page };
  // Where no raffle is open, the page with all of them is at the addresses of the default one.
  if (!raffle) return { name: 'welcome' };
  const name = look === 'generic' ? look : raffle;
  if (page === 'success') return { name: `${name}-success` };
  return { name, referralCode: match.params.code };
}
