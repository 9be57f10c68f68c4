import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { configureStore } from '@reduxjs/toolkit';
import { Provider } from 'react-redux';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ToastHost } from './ToastHost';
import {
  TOAST_DURATION_MS,
  TOAST_HOTKEY,
  TOAST_LIMIT,
  TOAST_REMOVE_DELAY_MS,
  TOAST_SWIPE_THRESHOLD_PX,
  toastSlice,
} from './toastSlice';

const { shown, dismissed, removed } = toastSlice.actions;

function renderToasts() {
  const store = configureStore({ reducer: { toasts: toastSlice.reducer } });
  render(
    <Provider store={store}>
      <ToastHost />
    </Provider>,
  );
  return store;
}

describe('toasts', () => {
  afterEach(() => vi.useRealTimers());

  it('have the constants of the spec', () => {
    expect(TOAST_LIMIT).toBe(1);
    expect(TOAST_DURATION_MS).toBe(5_000);
    expect(TOAST_REMOVE_DELAY_MS).toBe(1_000_000);
    expect(TOAST_SWIPE_THRESHOLD_PX).toBe(50);
    expect(TOAST_HOTKEY).toBe('F8');
  });

  it('show one at a time: the newest', async () => {
    const store = renderToasts();
    act(() => void store.dispatch(shown({ title: 'First' })));
    expect(await screen.findByText('First')).toBeInTheDocument();
    act(() => void store.dispatch(shown({ title: 'Second', description: 'With a text' })));
    expect(await screen.findByText('Second')).toBeInTheDocument();
    expect(screen.getByText('With a text')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('First')).not.toBeInTheDocument());
  });

  it('leave after five seconds, and not before', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const store = renderToasts();
    act(() => void store.dispatch(shown({ title: 'Here' })));
    expect(await screen.findByText('Here')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(4_500));
    expect(screen.getByText('Here')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(screen.queryByText('Here')).not.toBeInTheDocument();
  });

  it('close with their button, and are forgotten after the delay of the spec', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const store = renderToasts();
    act(() => void store.dispatch(shown({ title: 'Here' })));
    fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText('Here')).not.toBeInTheDocument());
    expect(store.getState().toasts.shown).toMatchObject([{ title: 'Here', open: false }]);
    await act(() => vi.advanceTimersByTimeAsync(TOAST_REMOVE_DELAY_MS));
    expect(store.getState().toasts.shown).toEqual([]);
  });

  it('get the focus with F8', async () => {
    const store = renderToasts();
    act(() => void store.dispatch(shown({ title: 'Here' })));
    await screen.findByText('Here');
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
    const region = screen.getByRole('region', { name: /F8/ });
    await waitFor(() => expect(region.contains(document.activeElement)).toBe(true));
  });

  it('dismiss and remove only what they name', () => {
    const state = toastSlice.reducer(undefined, shown({ title: 'Here' }));
    expect(toastSlice.reducer(state, dismissed(99)).shown[0]?.open).toBe(true);
    expect(toastSlice.reducer(state, removed(99)).shown).toHaveLength(1);
  });
});
