import { afterEach, beforeEach, vi } from 'vitest';

/** Takes back what a test makes window and document listen to: what is tracked for a page's life ends with it. */
export function endListenersWithTheTest() {
  beforeEach(() => {
    for (const target of [window, document]) vi.spyOn(target, 'addEventListener');
  });
  afterEach(() => {
    for (const target of [window, document]) {
      for (const [type, listener, options] of vi.mocked(target.addEventListener).mock.calls) {
        target.removeEventListener(type, listener, options);
      }
    }
  });
}
