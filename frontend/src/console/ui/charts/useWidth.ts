import { useEffect, useRef, useState } from 'react';

/** How wide an element is, so that a chart is drawn in real pixels and its text keeps its size. */
export function useWidth<Element extends HTMLElement>(initially = 480) {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(initially);
  useEffect(() => {
    const element = ref.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => {
      const measured = Math.floor(entry?.contentRect.width ?? 0);
      if (measured > 0) setWidth(measured);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
