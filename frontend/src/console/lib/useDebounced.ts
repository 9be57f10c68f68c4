import { useEffect, useState } from 'react';

const DELAY_MS = 300;

/** Typed text, once typing pauses, so that not every letter is a request. Clearing it takes effect at once. */
export function useDebounced(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text && settled;
}
