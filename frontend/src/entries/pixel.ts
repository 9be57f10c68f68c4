/** Runs alone in the frame of src/site/features/tracking/pixelFrame.ts: loads Meta's script and passes events on. */
import type { PixelMessage } from '../site/features/tracking/pixelFrame';

const META_SCRIPT = 'https://connect.facebook.net/en_US/fbevents.js';

/** What Meta's script expects to find: a function that queues calls until it is there to answer them. */
interface Fbq {
  (...call: unknown[]): void;
  callMethod?: (...call: unknown[]) => void;
  queue: unknown[][];
  push: Fbq;
  loaded: boolean;
  version: string;
  disablePushState: boolean;
}

const fbq = ((...call: unknown[]) => {
  if (fbq.callMethod) fbq.callMethod(...call);
  else fbq.queue.push(call);
}) as Fbq;

Object.assign(fbq, { queue: [], push: fbq, loaded: true, version: '2.0', disablePushState: true });
Object.assign(window, { fbq, _fbq: fbq });

// A frame without an address of its own inherits its parent's as the base of links. This one has no links.
Object.defineProperty(document, 'baseURI', { value: 'about:srcdoc' });

addEventListener('message', ({ source, data }: MessageEvent<PixelMessage>) => {
  if (source !== parent) return;
  if ('init' in data) return load(data.init);
  if ('trackCustom' in data) return fbq('trackCustom', data.trackCustom);
  fbq('track', data.track, {}, data.eventId ? { eventID: data.eventId } : {});
});

function load(pixelId: string) {
  fbq('set', 'autoConfig', false, pixelId); // it looks for no buttons and forms by itself
  fbq('init', pixelId);
  const script = document.createElement('script');
  script.src = META_SCRIPT;
  document.head.append(script);
}
