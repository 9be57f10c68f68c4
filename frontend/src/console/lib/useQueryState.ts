import { askBefore } from '../form/unsavedChanges';
import { useCallback, useMemo, useSyncExternalStore } from 'react';

type Changes = Record<string, string | null | undefined>;
type Options = { replace?: boolean; clear?: boolean };

const MOVED = 'querystate'; // pushState and replaceState fire no event

function subscribe(onChange: () => void) {
  for (const type of ['popstate', MOVED]) addEventListener(type, onChange);
  return () => {
    for (const type of ['popstate', MOVED]) removeEventListener(type, onChange);
  };
}

/**
 * State that lives in the address (`?section=analytics&tab=funnel`), so that reloading, going back and
 * sharing the link all work. Null or '' takes a name off; `clear` takes off all that are not set.
 */
export function useQueryState() {
  const search = useSyncExternalStore(subscribe, () => location.search);
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const setQuery = useCallback((changes: Changes, { replace, clear }: Options = {}) => {
    const next = addressWith(changes, clear);
    if (next === location.pathname + location.search) return;
    const go = () => {
      history[replace ? 'replaceState' : 'pushState'](null, '', next);
      dispatchEvent(new Event(MOVED));
    };
    if (samePlace(location.search, next)) go();
    else askBefore(go);
  }, []);
  return [query, setQuery] as const;
}

/** The parameters that choose a screen. All others are filters and pages of the same screen. */
const screenParams = ['section', 'tab', 'campaign', 'claim', 'view'];

/** Whether two addresses show the same screen, so that what was typed there stays. */
export function samePlace(one: string, other: string): boolean {
  const [here, there] = [one, other].map((each) => new URLSearchParams(each.split('?')[1]));
  return screenParams.every((name) => here?.get(name) === there?.get(name));
}

/** The address that setting this would lead to, for links. */
export function addressWith(changes: Changes, clear = false): string {
  const next = new URLSearchParams(clear ? '' : location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const search = next.toString();
  return location.pathname + (search && `?${search}`);
}
