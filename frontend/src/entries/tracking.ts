/**
 * Counts page views and what follows from them, on its own: views count also where nobody touches the
 * page, so that React never loads. Three kilobytes, after the page is there. It also leads from a raffle that has ended to others.
 */
import { trackedPage } from '../site/app/trackedPage';
import { optedOut } from '../site/features/tracking/optOut';
import { startTracking, type Listener } from '../site/features/tracking/tracking';
import { passCode } from '../site/lib/passCode';

passCode();

type Ads = typeof import('../site/features/tracking/ads');

const { ads: adsFile = '', pixel = '' } = document.currentScript?.dataset ?? {};

const currentPage = () => trackedPage(location.pathname);

/** Nothing of it is loaded unless the server was given a pixel. */
async function loadAds(): Promise<Listener | undefined> {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="ads-pixel"]');
  if (!meta) return undefined;
  const { startAds } = (await import(/* webpackIgnore: true */ adsFile)) as Ads;
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
    listener: (name, eventId) => void ads.then((tell) => tell?.(name, eventId)),
  });
}
