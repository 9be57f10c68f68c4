/** In the place of the session's storage where the browser denies it. */
const memory = new Map<string, string>();

/** What this tab remembers until it is closed. */
export function recall(key: string): string | null {
  try {
    return memory.get(key) ?? sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string) {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    memory.set(key, value);
  }
}

export function forget(key: string) {
  memory.delete(key);
  try {
    sessionStorage.removeItem(key);
  } catch {
    // denied: there is nothing in it
  }
}
