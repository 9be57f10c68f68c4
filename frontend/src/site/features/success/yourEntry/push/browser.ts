/** What the browser does for messages. On an iPhone it can only on sites that were added to the home screen. */
export const canPush = (): boolean =>
  typeof navigator !== 'undefined' &&
  'serviceWorker' in navigator &&
  'PushManager' in window &&
  'Notification' in window;

export const isBlocked = () => Notification.permission === 'denied';

/** Asks the visitor unless that was done before. Closing the question is no answer: it can be asked again. */
export const askPermission = () => Notification.requestPermission();

export async function currentSubscription(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/** Ends the subscription and removes the service worker. */
export async function endPush(): Promise<void> {
  if (!canPush()) return;
  await (await currentSubscription())?.unsubscribe();
  await (await navigator.serviceWorker.getRegistration('/'))?.unregister();
}

/** Replaces the subscription: one made for an earlier key of the server would get no messages. */
export async function subscribe(key: string): Promise<PushSubscription> {
  await (await currentSubscription())?.unsubscribe();
  await navigator.serviceWorker.register('/push-worker.js', { scope: '/' });
  const { pushManager } = await navigator.serviceWorker.ready;
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
}

/** Whether messages of this key reach the subscription. A browser that does not tell is believed. */
export function isFor({ options }: PushSubscription, key: string): boolean {
  const own = options.applicationServerKey;
  return !own || new Uint8Array(own).join() === bytesOf(key).join();
}

/** Safari takes no text as the key. */
function bytesOf(base64url: string) {
  const text = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
