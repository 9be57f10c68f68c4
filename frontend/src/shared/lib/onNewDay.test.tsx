import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onNewDay } from './onNewDay';

const tell = vi.fn();
let end: AbortController;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-12-01T04:59:50Z') }); // 23:59:50 in New York
  tell.mockReset();
  end = new AbortController();
  onNewDay(tell, end);
  expect(tell).toHaveBeenCalledOnce();
  tell.mockReset();
});

afterEach(() => {
  end.abort();
  vi.useRealTimers();
});

it('tells at midnight, which begins a minute in every time zone', () => {
  vi.advanceTimersByTime(9_999);
  expect(tell).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(tell).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60_000);
  expect(tell).toHaveBeenCalledTimes(2);
});

it('tells when the page is shown again', () => {
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(new Event('pageshow'));
  expect(tell).toHaveBeenCalledTimes(2);
});

it('ends', () => {
  end.abort();
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(new Event('pageshow'));
  vi.advanceTimersByTime(120_000);
  expect(tell).not.toHaveBeenCalled();
});
