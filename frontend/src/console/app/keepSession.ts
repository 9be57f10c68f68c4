import { adminApi } from '../api/adminApi';
import { hasUnsavedChanges } from '../form/unsavedChanges';
import { sessionSlice } from '../session/sessionSlice';
import type { AdminStore } from './store';

export const TOKEN_KEY = 'adminSessionToken';

const { restored, ended, closed } = sessionSlice.actions;

/** Keeps the store and the browser's storage the same, in this tab and the others. Answers how to stop. */
export function keepSession(store: AdminStore): () => void {
  const stored = readToken();
  if (stored) store.dispatch(restored(stored));

  let session = store.getState().session;
  let seenWith = stored;
  const unsubscribe = store.subscribe(() => {
    const { session: now } = store.getState();
    if (now === session) return;
    session = now;
    const { token, status } = now;
    if (token !== readToken()) writeToken(token);
    // A new session must not see the data of the last one. While it is covered it stays, for what was typed.
    if (status === 'ended' || token === seenWith) return;
    seenWith = token;
    store.dispatch(adminApi.util.resetApiState());
  });

  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key !== TOKEN_KEY && key !== null) return; // null: everything was cleared
    const { token } = store.getState().session;
    if (newValue && newValue !== token) store.dispatch(restored(newValue));
    // After a logout in another tab, this one keeps its page only for unsaved changes.
    if (!newValue && token) store.dispatch((hasUnsavedChanges() ? ended : closed)('elsewhere'));
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
