import { useEffect, useState } from 'react';
import type { ApiError } from '../../../../../shared/api/apiError';
import { addSubscription, readKey, removeSubscription } from './api';
import {
  askPermission,
  canPush,
  currentSubscription,
  endPush,
  isBlocked,
  isFor,
  subscribe,
} from './browser';

/** `unavailable`: the server sends nothing, or the browser shows nothing. */
type PushState = 'loading' | 'unavailable' | 'off' | 'on' | 'blocked';

/**
 * Whether this browser tells the visitor when it is drawn. Nothing is asked before a button is pressed.
 * `isMine`: this is the browser that entered, the only one that may.
 */
export function usePush(id: number, isMine: boolean) {
  const [key, setKey] = useState<string>();
  const [state, setState] = useState<PushState>(isMine ? 'loading' : 'unavailable');

  useEffect(() => {
    if (!isMine) return undefined;
    let isGone = false;
    void stateAtStart(id).then((start) => {
      if (isGone) return;
      setKey(start.key);
      setState(start.state);
    });
    return () => {
      isGone = true;
    };
  }, [id, isMine]);

  /** Throws if it did not work; then all is as before. */
  async function turnOn() {
    const answer = await askPermission();
    if (answer === 'denied') return setState('blocked');
    if (answer !== 'granted' || !key) return;
    const subscription = await subscribe(key).catch(notThisBrowser);
    try {
      await addSubscription(id, subscription);
    } catch (thrown) {
      await subscription.unsubscribe();
      throw thrown;
    }
    setState('on');
  }

  async function turnOff() {
    const subscription = await currentSubscription();
    if (subscription) await removeSubscription(id, subscription);
    await endPush();
    setState('off');
  }

  return { state, turnOn, turnOff };
}

/** The browser's own words are for programmers. Private windows fail here, and so do browsers without a push service. */
function notThisBrowser(thrown: unknown): never {
  const error: ApiError = {
    status: 'bug',
    message: String(thrown),
    sentence:
      "Notifications don't work in a private window. Elsewhere, try again later, or add the drawing to your calendar.",
  };
  throw error as unknown;
}

export type Push = ReturnType<typeof usePush>;

async function stateAtStart(id: number): Promise<{ state: PushState; key?: string }> {
  if (!canPush()) return { state: 'unavailable' };
  const key = await readKey();
  if (!key) return { state: 'unavailable' };
  if (isBlocked()) return { state: 'blocked', key };
  const subscription = await currentSubscription().catch(() => undefined);
  if (!subscription) return { state: 'off', key };
  const isOn = await tellAgain(id, subscription, key).then(
    () => true,
    () => false,
  );
  return { state: isOn ? 'on' : 'off', key };
}

/** The server may have given the subscription up, know it of another entry in this browser, or have another key now. */
async function tellAgain(id: number, subscription: PushSubscription, key: string) {
  if (isFor(subscription, key)) return addSubscription(id, subscription);
  await removeSubscription(id, subscription);
  return addSubscription(id, await subscribe(key));
}
