import { useState, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { makeStore } from './store';

type Store = ReturnType<typeof makeStore>;

interface Props {
  children: ReactNode;
  /** Happens before anything is shown. */
  first?: Parameters<Store['dispatch']>[0] | undefined;
}

/** Only around screens that read from the server: a sign-up page loads neither Redux nor RTK Query. */
export function StoreProvider({ children, first }: Props) {
  const [store] = useState(() => {
    const made = makeStore();
    if (first) made.dispatch(first);
    return made;
  });
  return <Provider store={store}>{children}</Provider>;
}
