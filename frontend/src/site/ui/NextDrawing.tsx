import { useSyncExternalStore } from 'react';
import { nextDrawing, siteTimeZone, WITHOUT_A_CLOCK } from '../../shared/lib/nextDrawing';
import { onNewDay } from '../../shared/lib/onNewDay';

const isBuild = typeof document === 'undefined';

const current = () => (isBuild ? WITHOUT_A_CLOCK : nextDrawing(new Date(), siteTimeZone()));

function subscribe(tell: () => void) {
  const end = new AbortController();
  onNewDay(tell, end);
  return () => end.abort();
}

export const useNextDrawing = () => useSyncExternalStore(subscribe, current, current);

export function NextDrawing() {
  return (
    <span className="date" data-next-drawing="" suppressHydrationWarning>
      {useNextDrawing()}
    </span>
  );
}
