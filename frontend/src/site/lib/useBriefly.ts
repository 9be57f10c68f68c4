import { useEffect, useState } from 'react';

/** What was said last, for so many milliseconds. */
export function useBriefly<Said>(ms: number): [Said | undefined, (said: Said) => void] {
  const [latest, setLatest] = useState<{ said: Said }>();
  useEffect(() => {
    if (!latest) return;
    const timer = setTimeout(() => setLatest(undefined), ms);
    return () => clearTimeout(timer);
  }, [latest, ms]);
  return [latest?.said, (said) => setLatest({ said })];
}
