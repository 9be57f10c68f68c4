/** How a link was shared; `system` is the sheet of the system, which does not say where. */
export type Platform = 'email' | 'sms' | 'system' | 'copy';

/** What the pages tell the tracking script (src/entries/tracking.ts), by the names of the API. */
export type Tracked =
  /** Another screen is shown without loading a page. */
  | { kind: 'page_view' }
  | { kind: 'sign_up'; eventId: string }
  /** A new entrant also agreed to campaign texts. */
  | { kind: 'lead_capture'; eventId: string }
  /** What has no kind of its own. */
  | { kind: 'custom'; name: 'packages_shown' }
  /** The link of a text was opened: an id that the server knows, the first time in this visit. */
  | { kind: 'sms_click' }
  | { kind: 'purchase'; eventId: string }
  | { kind: 'referral_share'; platform: Platform; userId: number; referralCode: string };

/** What the window is told once the server has counted a share, whoever reported it: the boot script or React. */
export const SHARE_COUNTED = 'share-counted';

declare global {
  interface Window {
    /** Events from before the tracking script was loaded; then the script itself. */
    tracked?: { push: (event: Tracked) => unknown };
    /** Go with every call of the API; not there for people who opted out. */
    trackingHeaders?: Record<string, string>;
  }
}

/** Never waits and never fails: the script may come later, or not at all. */
export function track(event: Tracked): void {
  const tracked = (window.tracked ??= [] as Tracked[]);
  tracked.push(event);
}
