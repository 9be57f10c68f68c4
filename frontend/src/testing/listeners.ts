import { afterEach, beforeEach, vi } from 'vitest';

/** Takes back what a test makes window and document listen to: what is tracked for a page's life ends with it. */
export function endListenersWithTheTest() {
  const ends: (() => void)[] = [];
  beforeEach(() => {
    for (const target of [window, document]) {
      const spy = vi.spyOn(target as EventTarget, 'addEventListener');
      ends.push(() => {
        for (const [type, listener] of spy.mock.calls) {
          for (const capture of [false, true]) target.removeEventListener(type, listener!, capture);
        }
      });
    }
  });
  afterEach(() => ends.splice(0).forEach((end) => end()));
}
