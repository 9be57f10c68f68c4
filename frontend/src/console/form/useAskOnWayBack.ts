import { useEffect } from 'react';
import { samePlace, useQueryState } from '../lib/useQueryState';
import { hasUnsavedChanges } from './unsavedChanges';

/** Back and Forward have moved already when the page hears of it: it returns to the form, then asks. */
export function useAskOnWayBack() {
  const [query, setQuery] = useQueryState();
  useEffect(() => {
    const here = `?${query.toString()}`;
    const onPop = (event: PopStateEvent) => {
      if (!hasUnsavedChanges() || samePlace(here, location.search)) return;
      event.stopImmediatePropagation();
      const there = new URLSearchParams(location.search);
      history.pushState(null, '', here);
      setQuery(Object.fromEntries(there), { clear: true });
    };
    addEventListener('popstate', onPop, { capture: true });
    return () => removeEventListener('popstate', onPop, { capture: true });
  }, [query, setQuery]);
}
