interface ToastMessage {
  title: string;
  description?: string;
  tone?: 'good' | 'bad';
}

export interface Toast extends ToastMessage {
  id: number;
  open: boolean;
}

export const TOAST_LIMIT = 1;
export const TOAST_DURATION_MS = 5_000;
export const TOAST_REMOVE_DELAY_MS = 1_000_000;
export const TOAST_SWIPE_THRESHOLD_PX = 50;
export const TOAST_HOTKEY = 'F8';

let lastId = 0;
let toasts: Toast[] = [];
const listeners = new Set<() => void>();

function change(next: Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. Not in Redux: a sign-up page shows toasts and loads no Redux. */
export const getToasts = () => toasts;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The newest toast pushes older ones out. */
export function showToast(message: ToastMessage) {
  lastId += 1;
  change([{ ...message, id: lastId, open: true }, ...toasts].slice(0, TOAST_LIMIT));
}

/** A dismissed toast is only closed, and removed much later. */
export function dismissToast(id: number) {
  change(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)));
}

export function removeToast(id: number) {
  change(toasts.filter((toast) => toast.id !== id));
}

export function clearToasts() {
  change([]);
}
