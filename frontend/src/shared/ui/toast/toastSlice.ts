import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

export interface ToastMessage {
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

const initialState = { lastId: 0, shown: [] as Toast[] };

/** The newest toast pushes older ones out; a dismissed one is only closed, and removed much later. */
export const toastSlice = createSlice({
  name: 'toasts',
  initialState,
  reducers: {
    shown(state, { payload }: PayloadAction<ToastMessage>) {
      state.lastId += 1;
      state.shown.unshift({ ...payload, id: state.lastId, open: true });
      state.shown.length = Math.min(state.shown.length, TOAST_LIMIT);
    },
    dismissed(state, { payload: id }: PayloadAction<number>) {
      for (const toast of state.shown) if (toast.id === id) toast.open = false;
    },
    removed(state, { payload: id }: PayloadAction<number>) {
      state.shown = state.shown.filter((toast) => toast.id !== id);
    },
  },
});

export interface ToastState {
  toasts: ReturnType<typeof toastSlice.reducer>;
}
