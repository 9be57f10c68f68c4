import { onChoiceElsewhere, readChoice, storeChoice, type Choice } from './consent';
import { ConsentBar, showChoice } from './consentBar';
import { optedOut } from './optOut';
import { openPixelFrame, type PixelFrame, type PixelMessage } from './pixelFrame';
import type { EventName, Listener } from './tracking';

interface Options {
  pixelId: string;
  /** The address of the script that runs in the pixel's frame. */
  frameScript: string;
  /** Whether this page asks, and measures: the legal pages do not. */
  measures: boolean;
}

/** By Meta's names; for the click in a text it has none. */
const messages = {
  page_view: { track: 'PageView' },
  sign_up: { track: 'CompleteRegistration' },
  referral_share: { track: 'Lead' },
  lead_capture: { track: 'Lead' },
  packages_shown: { track: 'ViewContent' },
  purchase: { track: 'Purchase' },
  sms_click: { trackCustom: 'SmsClick' },
} as const satisfies Record<EventName, PixelMessage>;

/** The ads pixel: loaded only with consent, and told nothing that happened before the consent. */
export function startAds({ pixelId, frameScript, measures }: Options): Listener {
  let frame: Promise<PixelFrame | undefined> | undefined;
  const bar = new ConsentBar(answer);
  const place = document.querySelector('[data-ads-choice]');

  const tell = (message: PixelMessage) => void frame?.then((opened) => opened?.tell(message));

  function apply(choice: Choice) {
    if (place) showChoice(place, optedOut() ? 'optedOut' : choice, answer);
    if (!measures || optedOut()) return;
    if (choice) bar.hide();
    else bar.show();
    if (choice === 'accepted') open();
    else close();
  }

  function open() {
    frame ??= openPixelFrame(pixelId, frameScript).catch((problem: unknown) => {
      console.debug('No ads pixel:', problem);
      return undefined;
    });
  }

  function close() {
    void frame?.then((opened) => opened?.remove());
    frame = undefined;
  }

  function answer(choice: 'accepted' | 'declined') {
    const opens = !frame;
    storeChoice(choice);
    apply(choice);
    if (opens) tell(messages.page_view); // the page on which it was accepted
  }

  apply(readChoice());
  onChoiceElsewhere(apply);

  return (name, eventId) => {
    if (name === 'page_view') bar.yieldToForm();
    tell({ ...messages[name], ...(eventId && { eventId }) });
  };
}
