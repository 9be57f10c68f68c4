import { useEffect, useRef, type FocusEvent } from 'react';

/** For a part of a page whose rows come and go: the focus stays in it when what had it is gone. */
export function useKeptFocus() {
  const part = useRef<HTMLDivElement>(null);
  const last = useRef<Element>(null);
  useEffect(() => {
    if (!last.current || last.current.isConnected) return;
    last.current = null;
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  });
  const onFocus = ({ target }: FocusEvent) => {
    last.current = target;
  };
  return { ref: part, tabIndex: -1, onFocus };
}
