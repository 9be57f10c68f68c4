import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getPushKey: build.query<GetPushKeyApiResponse, GetPushKeyApiArg>({
      query: () => ({ url: `/api/push/key` }),
    }),
    addPushSubscription: build.mutation<
      AddPushSubscriptionApiResponse,
      AddPushSubscriptionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/push/subscriptions`,
        method: "POST",
        body: queryArg.pushSubscriptionBody,
      }),
    }),
    removePushSubscription: build.mutation<
      RemovePushSubscriptionApiResponse,
      RemovePushSubscriptionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/push/subscriptions`,
        method: "DELETE",
        body: queryArg.endedSubscriptionBody,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type GetPushKeyApiResponse = /** status 200 undefined */ PushKeyView;
export type GetPushKeyApiArg = void;
export type AddPushSubscriptionApiResponse = unknown;
export type AddPushSubscriptionApiArg = {
  pushSubscriptionBody: PushSubscriptionBody;
};
export type RemovePushSubscriptionApiResponse = unknown;
export type RemovePushSubscriptionApiArg = {
  endedSubscriptionBody: EndedSubscriptionBody;
};
export type PushKeyView = {
  /** The public VAPID key (RFC 8292) in base64url; null while the server sends no messages. */
  publicKey: string | null;
};
export type ErrorView = {
  /** The same for a program. */
  code: string;
  /** A sentence for a person. */
  error: string;
  /** What is wrong with each field, for `validation` only. */
  fields?:
    | {
        [key: string]: string[];
      }
    | {
        [key: string]: string[];
      };
};
export type PushKeysBody = {
  /** The secret: 16 bytes in base64url. */
  auth: string;
  /** The public key: a point of P-256 without compression, 65 bytes in base64url. */
  p256dh: string;
};
export type PushSubscriptionBody = {
  /** The address of a push service that browsers use. */
  endpoint: string;
  /** What messages are encrypted with. */
  keys: PushKeysBody;
  /** The entrant. */
  userId: number;
};
export type EndedSubscriptionBody = {
  /** The endpoint of the subscription. */
  endpoint: string;
  /** The entrant. */
  userId: number;
};
export const {
  useGetPushKeyQuery,
  useAddPushSubscriptionMutation,
  useRemovePushSubscriptionMutation,
} = injectedRtkApi;
