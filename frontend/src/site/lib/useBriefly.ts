import { useEffect, useState } from 'react';

/** What was said last, for so many milliseconds. `first` is said from the start. */
export function useBriefly<Said>(
  ms: number,
  first?: Said,
): [Said | undefined, (said: Said) => void] {
  const [latest, setLatest] = useState<{ said: Said | undefined }>({ said: first });
  useEffect(() => {
    if (latest.said === undefined) return;
    const timer = setTimeout(() => setLatest({ said: undefined }), ms);
    return () => clearTimeout(timer);
  }, [latest, ms]);
  return [latest.said, (said) => setLatest({ said })];
}
