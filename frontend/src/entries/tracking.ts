/**
 * Counts page views and what follows from them, on its own: views count also where nobody touches the
 * page, so that React never loads. Two kilobytes, after the page is there (D26 to D28).
 */
import { matchPath } from '../app/routes';
import { optedOut } from '../features/tracking/optOut';
import { startTracking, type Listener, type TrackedPage } from '../features/tracking/tracking';

const { pixel = '' } = document.currentScript?.dataset ?? {};

/** The legal pages have no name: they are not counted. */
function currentPage(): TrackedPage | undefined {
  if (location.pathname === '/welcome') return { name: 'welcome' };
  const match = matchPath(location.pathname);
  if (!match) return undefined;
  const { page, look } = match.route;
  if (page === 'success') return { name: `${look}-success` };
  return { name: look, referralCode: match.params.code };
}

/** Nothing of it is loaded unless the server was given a pixel. */
async function loadAds(): Promise<Listener | undefined> {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="ads-pixel"]');
  if (!meta) return undefined;
  const { startAds } = await import(/* webpackChunkName: "ads" */ '../features/tracking/ads');
  return startAds({
    pixelId: meta.content,
    frameScript: pixel,
    measures: currentPage() !== undefined,
  });
}

const ads = loadAds().catch(() => undefined); // without its file nobody is asked, and nothing is loaded
if (!optedOut() && currentPage()) {
  void startTracking({
    currentPage,
    listener: (kind, eventId) => void ads.then((tell) => tell?.(kind, eventId)),
  });
}
