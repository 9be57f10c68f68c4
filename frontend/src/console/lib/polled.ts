import { createContext, useContext } from 'react';

interface Polled {
  pollingInterval: number;
  skipPollingIfUnfocused: boolean;
  refetchOnFocus?: boolean;
}

/** For a query that is asked again every so many milliseconds while the page is looked at; undefined is never. */
export const polled = (everyMs: number | undefined): Polled => ({
  pollingInterval: everyMs ?? 0,
  skipPollingIfUnfocused: true,
});

export const REFRESH_MS = 30_000;
export const refreshed: Polled = { ...polled(REFRESH_MS), refetchOnFocus: true };
export const paused: Polled = { ...polled(undefined), refetchOnFocus: false };

/** How the figures of a screen are kept fresh, by whichever features they are. */
export const Refreshing = createContext(paused);
export const useRefreshing = () => useContext(Refreshing);
