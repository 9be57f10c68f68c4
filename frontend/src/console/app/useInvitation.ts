import { useSyncExternalStore } from 'react';

const PREFIX = '#invitation=';

/** The secret of a link to a new account. It is in the fragment, which no server and no log sees. */
export const useInvitation = () => useSyncExternalStore(subscribe, tokenNow);

const tokenNow = () =>
  location.hash.startsWith(PREFIX) ? location.hash.slice(PREFIX.length) : undefined;

/** Takes it out of the address, and out of the browser's history. */
export function forgetInvitation() {
  history.replaceState(null, '', location.pathname + location.search);
  dispatchEvent(new HashChangeEvent('hashchange')); // replaceState fires no event
}

function subscribe(onChange: () => void) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}
