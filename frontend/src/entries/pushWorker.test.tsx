import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const showNotification = vi.fn<(title: string, options: object) => Promise<void>>();
const openWindow = vi.fn<(url: string) => Promise<void>>();
const waitUntil = vi.fn<(work: Promise<unknown>) => void>();

beforeAll(() => import('./pushWorker'));
beforeEach(() => {
  showNotification.mockReset().mockResolvedValue();
  openWindow.mockReset().mockResolvedValue();
  waitUntil.mockReset();
  vi.stubGlobal('registration', { showNotification });
  vi.stubGlobal('clients', { openWindow });
});
afterEach(() => vi.unstubAllGlobals());

const happen = (name: string, details: object) =>
  dispatchEvent(Object.assign(new Event(name), { waitUntil, ...details }));

describe('the service worker', () => {
  it('shows what is pushed, once for each page', () => {
    const message = { title: 'It is drawn', body: 'See the result.', url: '/drawings/12' };
    happen('push', { data: { json: () => message } });
    const options = { body: 'See the result.', data: '/drawings/12', tag: '/drawings/12' };
    expect(showNotification.mock.calls).toEqual([
      ['It is drawn', expect.objectContaining(options)],
    ]);
    expect(waitUntil).toHaveBeenCalledTimes(1);
  });

  it('opens the result when the message is pressed', () => {
    const close = vi.fn();
    happen('notificationclick', { notification: { data: '/drawings/12', close } });
    expect(close).toHaveBeenCalled();
    expect(openWindow.mock.calls).toEqual([[`${location.origin}/drawings/12`]]);
    expect(waitUntil).toHaveBeenCalledTimes(1);
  });

  it.each(['https://other.example/drawings/12', '//other.example', 'javascript:alert(1)'])(
    'does not open %s',
    (data) => {
      happen('notificationclick', { notification: { data, close: vi.fn() } });
      expect(openWindow).not.toHaveBeenCalled();
    },
  );
});
