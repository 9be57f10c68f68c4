/** On leaving, less than this is not worth a request. */
const WORTH_SENDING_S = 5;
/** From here on the page was forgotten, not read. */
const FORGOTTEN_S = 1_800;

/** Measures for how long the page is seen, and reports what was not reported yet, in seconds. */
export class PageTime {
  private unsentMs = 0;
  private seenSince: number | undefined;

  constructor(private readonly report: (seconds: number) => void) {
    this.resume();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.leave();
      else this.resume();
    });
    addEventListener('pagehide', () => this.leave());
    addEventListener('pageshow', () => this.resume()); // also when the browser had kept the page
  }

  /** Another screen is shown: what the last one took is reported, however short. */
  turn() {
    this.pause();
    this.send(0);
    this.resume();
  }

  private leave() {
    this.pause();
    this.send(WORTH_SENDING_S);
  }

  private resume() {
    if (document.visibilityState !== 'hidden') this.seenSince ??= performance.now();
  }

  private pause() {
    if (this.seenSince === undefined) return;
    this.unsentMs += performance.now() - this.seenSince;
    this.seenSince = undefined;
  }

  private send(moreThan: number) {
    const seconds = this.unsentMs / 1_000;
    if (seconds <= moreThan) return; // it is kept, and counts with what follows
    this.unsentMs = 0;
    if (seconds < FORGOTTEN_S) this.report(seconds);
  }
}
