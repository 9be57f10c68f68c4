const MINUTE_MS = 60_000;

/** Tells now, and when a date may be another one: the page is shown again, or a minute begins, as each midnight of the site does. */
export function onNewDay(tell: () => void, options?: { signal: AbortSignal }) {
  const tick = () => {
    if (options?.signal.aborted) return;
    tell();
    setTimeout(tick, MINUTE_MS - (Date.now() % MINUTE_MS));
  };
  tick();
  document.addEventListener('visibilitychange', tell, options);
  addEventListener('pageshow', tell, options);
}
