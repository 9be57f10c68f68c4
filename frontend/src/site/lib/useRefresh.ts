import { useEffect } from 'react';

/** In intervals while the page is looked at, and at once when it is looked at again; without an interval, never. */
export function useRefresh(refetch: () => unknown, everyMs: number | undefined) {
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const refreshIfSeen = () => {
      if (!document.hidden) refetch();
    };
    const timer = setInterval(refreshIfSeen, everyMs);
    document.addEventListener('visibilitychange', refreshIfSeen);
    addEventListener('focus', refreshIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshIfSeen);
      removeEventListener('focus', refreshIfSeen);
    };
  }, [refetch, everyMs]);
}
