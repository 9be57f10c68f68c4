import { adminApi } from '../api/adminApi';
import { sessionSlice } from '../session/sessionSlice';
import type { AdminStore } from './store';

export const TOKEN_KEY = 'adminSessionToken';

const { restored, closed } = sessionSlice.actions;

/** Keeps the store and the browser's storage the same, in this tab and the others. Answers how to stop. */
export function keepSession(store: AdminStore): () => void {
  const stored = readToken();
  if (stored) store.dispatch(restored(stored));

  let known = stored;
  const unsubscribe = store.subscribe(() => {
    const { token } = store.getState().session;
    if (token === known) return;
    known = token;
    if (token !== readToken()) writeToken(token);
    // What one session has seen is not for the next.
    store.dispatch(adminApi.util.resetApiState());
  });

  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key !== TOKEN_KEY && key !== null) return; // null: everything was cleared
    const { token } = store.getState().session;
    if (newValue && newValue !== token) store.dispatch(restored(newValue));
    if (!newValue && token) store.dispatch(closed('elsewhere'));
  };
  addEventListener('storage', onStorage);

  return () => {
    unsubscribe();
    removeEventListener('storage', onStorage);
  };
}

// A browser that forbids storage keeps people signed in until they leave the page.
function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

function writeToken(token: string | null) {
  try {
    if (token) localStorage.setItem(TOKEN_KEY, token);
    else localStorage.removeItem(TOKEN_KEY);
  } catch {
    // see above
  }
}
