/** What the page tells the frame that holds the ads pixel: never more than this. */
export type PixelMessage =
  | { init: string }
  | {
      track: 'PageView' | 'CompleteRegistration' | 'Lead' | 'ViewContent' | 'Purchase';
      eventId?: string;
    }
  | { trackCustom: 'SmsClick' };

export interface PixelFrame {
  tell: (message: PixelMessage) => void;
  remove: () => void;
}

/**
 * Meta's script sends the address of the page it runs in, and may read whatever is typed there. Addresses
 * here hold referral codes and user ids, and the form a phone number: so it runs in a frame without an
 * origin, from where it can read no page, no address, no cookie and no storage of this site.
 */
export async function openPixelFrame(pixelId: string, script: string): Promise<PixelFrame> {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.referrerPolicy = 'origin';
  frame.hidden = true;
  frame.title = 'Ads pixel';
  // Inline, by its hash in the Content-Security-Policy: a frame without an origin may load no file of ours.
  const response = await fetch(script);
  if (!response.ok) throw new Error(`${response.status} for the pixel's frame`);
  frame.srcdoc = `<!doctype html><script>${await response.text()}</script>`;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  document.body.append(frame);
  await loaded;
  // It has no origin that could be named here; what is told is no secret.
  const tell = (message: PixelMessage) => frame.contentWindow?.postMessage(message, '*');
  tell({ init: pixelId });
  return { tell, remove: () => frame.remove() };
}
