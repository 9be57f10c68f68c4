/** The service worker: shows what the server pushes when a raffle is drawn, and opens the result. It caches nothing. */
interface PushEvent extends Event {
  data: { json(): unknown } | null;
  waitUntil(work: Promise<unknown>): void;
}
interface ClickEvent extends Event {
  notification: Notification;
  waitUntil(work: Promise<unknown>): void;
}
interface WorkerScope extends EventTarget {
  registration: ServiceWorkerRegistration;
  clients: { openWindow(url: string): Promise<unknown> };
}
/** What is pushed. */
export interface Message {
  title: string;
  body: string;
  /** A path of this site. */
  url: string;
}

const worker = self as unknown as WorkerScope;

worker.addEventListener('push', (event) => {
  const pushed = event as PushEvent;
  const { title, body, url } = pushed.data?.json() as Message;
  // A message that comes again takes the place of the first one, and makes no sound.
  const options = { body, data: url, tag: url, icon: '/apple-touch-icon.png' };
  pushed.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener('notificationclick', (event) => {
  const clicked = event as ClickEvent;
  clicked.notification.close();
  const address = new URL(String(clicked.notification.data), location.origin);
  if (address.origin === location.origin) {
    clicked.waitUntil(worker.clients.openWindow(address.href));
  }
});
