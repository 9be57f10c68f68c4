import { useEffect, useState } from 'react';

/** Counts down to a moment in milliseconds by this browser's clock, from at most so many seconds; 0 from then on. */
export function useSecondsUntil(moment: number, most: number): number {
  const [now, setNow] = useState(Date.now);
  const isOver = now >= moment;
  useEffect(() => {
    if (isOver) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [moment, isOver]);
  // The bound holds too while a new moment is known and the clock was not read again.
  return Math.min(most, Math.max(0, Math.ceil((moment - now) / 1_000)));
}
