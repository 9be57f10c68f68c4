import { request, type Call } from '../../../../../shared/api/request';
import type {
  EndedSubscriptionBody,
  PushKeyView,
  PushSubscriptionBody,
} from '../../../../api/generatedPush';

/** Throws an ApiError. */
async function ask(options: Call): Promise<unknown> {
  const { data, error } = await request(options, { headers: window.trackingHeaders ?? {} });
  if (error) throw error as unknown;
  return data;
}

/** The server's public VAPID key in base64url. Without one, or without an answer, nothing can be pushed. */
export const readKey = (): Promise<string | null> =>
  ask({ url: '/api/push/key' }).then(
    (answer) => (answer as PushKeyView).publicKey,
    () => null,
  );

/** The same subscription again is no second one. */
export const addSubscription = (userId: number, subscription: PushSubscription) => {
  const { endpoint, keys } = subscription.toJSON() as Omit<PushSubscriptionBody, 'userId'>;
  return tell('POST', { userId, endpoint, keys } satisfies PushSubscriptionBody);
};

export const removeSubscription = (userId: number, { endpoint }: PushSubscription) =>
  tell('DELETE', { userId, endpoint } satisfies EndedSubscriptionBody);

/** The answer is empty. */
const tell = (method: string, body: object) =>
  ask({ url: '/api/push/subscriptions', method, body, answers: 'text' });
