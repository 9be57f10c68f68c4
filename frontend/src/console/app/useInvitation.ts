import { useSyncExternalStore } from 'react';

/** What the links to a new account begin with: that of an invitation, and that of the first owner. */
const PREFIXES = ['#invitation=', '#token='];
const FIRST_OWNER_PATH = '/admin/setup';

/** Whether the address is that of the link which the server prints while nobody has an account. */
export const isFirstOwner = () => location.pathname === FIRST_OWNER_PATH;

/** The secret of a link to a new account. It is in the fragment, which no server and no log sees. */
export const useInvitation = () => useSyncExternalStore(subscribe, tokenNow);

function tokenNow() {
  const prefix = PREFIXES.find((start) => location.hash.startsWith(start));
  return prefix && location.hash.slice(prefix.length);
}

/** Takes it out of the address, and out of the browser's history. */
export function forgetInvitation() {
  history.replaceState(null, '', `/admin${location.search}`);
  dispatchEvent(new HashChangeEvent('hashchange')); // replaceState fires no event
}

function subscribe(onChange: () => void) {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
}
