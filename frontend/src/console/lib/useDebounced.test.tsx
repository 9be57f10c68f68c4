import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDebounced } from './useDebounced';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const type = (text?: string) => {
  const { result, rerender } = renderHook((value?: string) => useDebounced(value), {
    initialProps: text,
  });
  const pause = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  return { result, rerender, pause };
};

describe('a debounced text', () => {
  it('follows once nothing was typed for a moment', () => {
    const { result, rerender, pause } = type();
    rerender('j');
    pause(200);
    rerender('ju');
    pause(200);
    expect(result.current).toBeUndefined();
    pause(100);
    expect(result.current).toBe('ju');
  });

  it('is there at once when the page opens, and cleared at once', () => {
    const { result, rerender } = type('july');
    expect(result.current).toBe('july');
    rerender(undefined);
    expect(result.current).toBeUndefined();
  });
});
