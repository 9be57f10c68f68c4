import { useEffect } from 'react';

export const REFRESH_MS = 30_000;

/** Every 30 s while the tab is looked at, and at once when it is looked at again. */
export function useAutoRefresh(refresh: () => void, paused: boolean) {
  useEffect(() => {
    if (paused) return;
    const refreshIfSeen = () => {
      if (!document.hidden) refresh();
    };
    const timer = setInterval(refreshIfSeen, REFRESH_MS);
    document.addEventListener('visibilitychange', refreshIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshIfSeen);
    };
  }, [refresh, paused]);
}
