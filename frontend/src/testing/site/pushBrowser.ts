import { vi } from 'vitest';

export const ENDPOINT = 'https://push.example/abc';
export const KEYS = { p256dh: 'BPublic', auth: 'secret' };

/** A browser that can push, as far as pages see, until it is removed. */
export class PushBrowser {
  permission: NotificationPermission = 'default';
  answer: NotificationPermission = 'granted';
  subscription: PushSubscription | null = null;
  requestPermission = vi.fn(() => {
    this.permission = this.answer === 'default' ? this.permission : this.answer;
    return Promise.resolve(this.answer);
  });
  unsubscribe = vi.fn(() => {
    this.subscription = null;
    return Promise.resolve(true);
  });
  subscribe = vi.fn<(options: { applicationServerKey: Uint8Array }) => Promise<PushSubscription>>(
    () => Promise.resolve(this.makeSubscription()),
  );
  register = vi.fn<(file: string, options: { scope: string }) => Promise<void>>(() =>
    Promise.resolve(),
  );

  unregister = vi.fn(() => Promise.resolve(true));

  /** Of the key of the tests' server, unless a test says otherwise. */
  makeSubscription(key: Uint8Array<ArrayBuffer> = Uint8Array.of(1, 15, 191)) {
    this.subscription = {
      options: { applicationServerKey: key.buffer },
      endpoint: ENDPOINT,
      toJSON: () => ({ endpoint: ENDPOINT, keys: KEYS }),
      unsubscribe: this.unsubscribe,
    } as unknown as PushSubscription;
    return this.subscription;
  }

  constructor() {
    const pushManager = {
      subscribe: this.subscribe,
      getSubscription: () => Promise.resolve(this.subscription),
    };
    const serviceWorker = {
      register: this.register,
      ready: Promise.resolve({ pushManager }),
      getRegistration: () => Promise.resolve({ pushManager, unregister: this.unregister }),
    };
    Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
    vi.stubGlobal('PushManager', class {});
    vi.stubGlobal('Notification', this);
  }

  remove() {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'serviceWorker');
  }
}
