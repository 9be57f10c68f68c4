import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ToastHost } from './ToastHost';
import {
  TOAST_DURATION_MS,
  TOAST_HOTKEY,
  TOAST_LIMIT,
  TOAST_REMOVE_DELAY_MS,
  TOAST_SWIPE_THRESHOLD_PX,
  clearToasts,
  dismissToast,
  getToasts,
  removeToast,
  showToast,
} from './toasts';

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
    render(<ToastHost />);
    act(() => showToast({ title: 'First' }));
    expect(await screen.findByText('First')).toBeInTheDocument();
    act(() => showToast({ title: 'Second', description: 'With a text' }));
    expect(await screen.findByText('Second')).toBeInTheDocument();
    expect(screen.getByText('With a text')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('First')).not.toBeInTheDocument());
  });

  it('leave after five seconds, and not before', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    render(<ToastHost />);
    act(() => showToast({ title: 'Here' }));
    expect(await screen.findByText('Here')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(4_500));
    expect(screen.getByText('Here')).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(screen.queryByText('Here')).not.toBeInTheDocument();
  });

  it('close with their button, and are forgotten after the delay of the spec', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    render(<ToastHost />);
    act(() => showToast({ title: 'Here' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText('Here')).not.toBeInTheDocument());
    expect(getToasts()).toMatchObject([{ title: 'Here', open: false }]);
    await act(() => vi.advanceTimersByTimeAsync(TOAST_REMOVE_DELAY_MS));
    expect(getToasts()).toEqual([]);
  });

  it('get the focus with F8', async () => {
    render(<ToastHost />);
    act(() => showToast({ title: 'Here' }));
    await screen.findByText('Here');
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
    const region = screen.getByRole('region', { name: /F8/ });
    await waitFor(() => expect(region.contains(document.activeElement)).toBe(true));
  });

  it('go with the next submit, but not what that has to say', async () => {
    const answer = vi.fn();
    render(
      <>
        <form onSubmit={answer} aria-label="Form" />
        <ToastHost />
      </>,
    );
    act(() => showToast({ title: 'First' }));
    await screen.findByText('First');
    fireEvent.submit(screen.getByRole('form'));
    expect(screen.queryByText('First')).not.toBeInTheDocument();
    answer.mockImplementation(() => showToast({ title: 'Second' }));
    fireEvent.submit(screen.getByRole('form'));
    expect(await screen.findByText('Second')).toBeInTheDocument();
  });

  it('lie over a dialog that opens later, where the browser can do it', async () => {
    const raised: string[] = [];
    HTMLElement.prototype.hidePopover = () => raised.push('hide');
    HTMLElement.prototype.showPopover = function () {
      raised.push(`show ${this.className}`);
    };
    const { unmount } = render(
      <>
        <dialog />
        <ToastHost />
      </>,
    );
    act(() => showToast({ title: 'Here' }));
    await screen.findByText('Here');
    expect(raised).toEqual(['hide', 'show toasts']);
    document.querySelector('dialog')?.showModal();
    await waitFor(() => expect(raised).toEqual(['hide', 'show toasts', 'hide', 'show toasts']));
    unmount();
    Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover');
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
  });

  it('dismiss and remove only what they name', () => {
    showToast({ title: 'Here' });
    dismissToast(-1);
    removeToast(-1);
    expect(getToasts()).toMatchObject([{ title: 'Here', open: true }]);
    clearToasts();
  });

  it('end with the page that shows them', () => {
    const { unmount } = render(<ToastHost />);
    act(() => showToast({ title: 'Here' }));
    unmount();
    expect(getToasts()).toEqual([]);
  });
});
