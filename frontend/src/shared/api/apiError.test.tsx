import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asApiError } from './apiError';

const named = (name: string) => Object.assign(new Error('it did not work'), { name });

describe('what was thrown', () => {
  let log: ReturnType<typeof vi.spyOn>;
  beforeEach(() => {
    log = vi.spyOn(console, 'error').mockReturnValue(undefined);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('stays what it is when it is an ApiError', () => {
    const error = { status: 404, message: '404: none', sentence: 'There is none.' };
    expect(asApiError(error)).toBe(error);
    expect(log).not.toHaveBeenCalled();
  });

  it('is unreachable when the request was aborted', () => {
    const error = asApiError(named('AbortError'));
    expect(error.status).toBe('unreachable');
    expect(error.sentence).toContain('could not reach Tombola');
    expect(log).not.toHaveBeenCalled();
  });

  it('is missing when a lazily loaded file did not arrive, which the page is told once', () => {
    const fileMissing = (window.fileMissing = vi.fn());
    const thrown = named('ChunkLoadError');
    expect(asApiError(thrown)).toEqual(asApiError(thrown));
    expect(asApiError(thrown).sentence).toBe(
      'This page is out of date or did not finish loading. Reload it and try again.',
    );
    expect(fileMissing).toHaveBeenCalledExactlyOnceWith(true);
    expect(log).not.toHaveBeenCalled();
    delete window.fileMissing;
  });

  it('is offline when there is no connection', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect(asApiError(named('ChunkLoadError')).status).toBe('offline');
  });

  it.each([new TypeError('x is not a function'), new Error('oh'), 'text', null, undefined])(
    'does not blame the connection for a bug: %s',
    (thrown) => {
      const error = asApiError(thrown);
      expect(error.status).toBe('bug');
      expect(error.sentence).toBe('Something went wrong in this page. Reload it and try again.');
      expect(log).toHaveBeenCalledOnce();
    },
  );

  it('is logged once, however often its sentence is shown', () => {
    const thrown = new TypeError('x is not a function');
    asApiError(thrown);
    asApiError(thrown);
    expect(log).toHaveBeenCalledTimes(1);
  });
});
