import { useEffect } from 'react';

/** Asks again every so many milliseconds while the page is looked at; undefined is never. */
export function usePolling(refetch: () => unknown, everyMs: number | undefined) {
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) refetch();
    }, everyMs);
    return () => clearInterval(timer);
  }, [refetch, everyMs]);
}
