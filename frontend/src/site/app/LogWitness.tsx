import { useEffect, useState, type ReactNode } from 'react';
import { whenIdle } from '../../shared/lib/whenIdle';

/** Compares the log of drawings with what this browser kept, once a page has nothing better to do. */
export function LogWitness() {
  const [alert, setAlert] = useState<ReactNode>(null);
  useEffect(() => {
    let isGone = false;
    const cancel = whenIdle(() => {
      void alertFromLog().then(
        (found) => isGone || setAlert(found),
        () => undefined, // a file did not arrive: the next visit tries again
      );
    });
    return () => {
      isGone = true;
      cancel();
    };
  }, []);
  return alert;
}

async function alertFromLog(): Promise<ReactNode> {
  const [{ compareLog }, { alertOf }] = await Promise.all([
    import(/* webpackChunkName: "witness" */ '../features/drawings/witness/compare'),
    import(/* webpackChunkName: "witness" */ '../features/drawings/witness/alertOf'),
  ]);
  return alertOf(await compareLog());
}
