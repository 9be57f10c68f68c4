import { act, fireEvent, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useBetweenPresses } from './useBetweenPresses';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

const start = () =>
  renderHook((value: string) => useBetweenPresses(value), { initialProps: 'before' });

describe('a value between presses', () => {
  it('changes at once while nothing is pressed', () => {
    const { result, rerender } = start();
    expect(result.current).toBe('before');
    rerender('after');
    expect(result.current).toBe('after');
  });

  it.each([fireEvent.pointerUp, fireEvent.pointerCancel])(
    'does not change between a press and its click',
    (end) => {
      const { result, rerender } = start();
      fireEvent.pointerDown(document.body);
      rerender('soon replaced');
      rerender('after');
      expect(result.current).toBe('before');
      end(document.body);
      fireEvent.click(document.body);
      expect(result.current).toBe('before');
      act(() => void vi.runAllTimers());
      expect(result.current).toBe('after');
    },
  );

  it('does not change during the second press of a double click', () => {
    const { result, rerender } = start();
    fireEvent.pointerDown(document.body);
    rerender('after');
    fireEvent.pointerUp(document.body);
    act(() => void vi.advanceTimersByTime(50));
    fireEvent.pointerDown(document.body);
    act(() => void vi.runAllTimers());
    expect(result.current).toBe('before');
    fireEvent.pointerUp(document.body);
    act(() => void vi.runAllTimers());
    expect(result.current).toBe('after');
  });

  it('does not change what has gone', () => {
    const { rerender, unmount } = start();
    fireEvent.pointerDown(document.body);
    rerender('after');
    unmount();
    fireEvent.pointerUp(document.body);
    expect(() => vi.runAllTimers()).not.toThrow();
  });
});
