import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import { whenIdle } from '../../lib/whenIdle';
import { clearToasts, getToasts, subscribe } from './toasts';

/** Toasts arrive in a file of their own: when the page is idle, or with the first toast. */
export function ToastHost() {
  const newest = useSyncExternalStore(subscribe, getToasts, getToasts)[0]?.id;
  const [idle, setIdle] = useState(false);
  const [Toaster, setToaster] = useState<ComponentType>();

  useEffect(() => whenIdle(() => setIdle(true)), []);
  // What the last try said is over with the next one.
  useEffect(() => {
    document.addEventListener('submit', clearToasts, true);
    return () => {
      document.removeEventListener('submit', clearToasts, true);
      clearToasts();
    };
  }, []);

  // Not React.lazy: a file that did not arrive must not take the page down, and the next toast tries again.
  useEffect(() => {
    if (Toaster || (!idle && newest === undefined)) return;
    import(/* webpackChunkName: "toaster" */ './Toaster').then(
      (loaded) => setToaster(() => loaded.default),
      () => undefined, // every failure also stands in the page itself
    );
  }, [Toaster, idle, newest]);

  return Toaster ? <Toaster /> : null;
}
