import { beforeEach, describe, expect, it, vi } from 'vitest';

let session: typeof import('./session');
beforeEach(async () => {
  sessionStorage.clear();
  vi.resetModules();
  session = await import('./session');
});

/** As in a browser that is told to keep nothing. */
function denyStorage() {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(denied);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(denied);
}

describe('the session id', () => {
  it('is a UUID of version 7, which begins with the time', () => {
    const id = session.uuidV7(Date.parse('2025-08-15T12:00:00Z'));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(new Date(time).toISOString()).toBe('2025-08-15T12:00:00.000Z');
    expect(session.uuidV7(0)).toMatch(/^00000000-0000-7/);
  });

  it('is another one each time', () => {
    const ids = Array.from({ length: 100 }, () => session.uuidV7(1));
    expect(new Set(ids).size).toBe(100);
  });

  it('stays for the session, over a reload', async () => {
    const id = session.sessionId();
    vi.resetModules();
    const reloaded = await import('./session');
    expect(reloaded.sessionId()).toBe(id);
  });

  it('stays for the page where storage is denied', () => {
    denyStorage();
    expect(session.sessionId()).toBe(session.sessionId());
  });
});

describe('what counts once in a session', () => {
  it('is reported once, over a reload', async () => {
    const report = vi.fn(() => Promise.resolve());
    await session.oncePerSession('view', report);
    await session.oncePerSession('view', report);
    vi.resetModules();
    await (await import('./session')).oncePerSession('view', report);
    expect(report).toHaveBeenCalledTimes(1);
  });

  it('is reported once while the first report is on its way', async () => {
    let arrive = () => {};
    const report = vi.fn(() => new Promise<void>((resolve) => (arrive = resolve)));
    const first = session.oncePerSession('view', report);
    await session.oncePerSession('view', report);
    arrive();
    await first;
    expect(report).toHaveBeenCalledTimes(1);
  });

  it('is reported again when that failed', async () => {
    const report = vi.fn(() => Promise.resolve()).mockRejectedValueOnce(new Error('503'));
    await expect(session.oncePerSession('view', report)).rejects.toThrow('503');
    await session.oncePerSession('view', report);
    expect(report).toHaveBeenCalledTimes(2);
  });

  it('is reported once for the page where storage is denied', async () => {
    denyStorage();
    const report = vi.fn(() => Promise.resolve());
    await session.oncePerSession('view', report);
    await session.oncePerSession('view', report);
    expect(report).toHaveBeenCalledTimes(1);
  });
});
