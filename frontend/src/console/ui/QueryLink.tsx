import type { MouseEvent, ReactNode } from 'react';
import { addressWith, useQueryState } from '../lib/useQueryState';

interface Props {
  /** What it sets in the address; null takes a name off. */
  change: Record<string, string | null>;
  /** Takes off everything else. */
  clear?: boolean;
  children: ReactNode;
}

/** A link to another state of the console, without loading it again. */
export function QueryLink({ change, clear = false, children }: Props) {
  const [, setQuery] = useQueryState(); // also so that its address follows the page's
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // into a tab or window of its own
    event.preventDefault();
    setQuery(change, { clear });
  };
  return (
    <a className="text-link" href={addressWith(change, clear)} onClick={open}>
      {children}
    </a>
  );
}
