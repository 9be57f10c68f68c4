import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    openClaimAfterCall: build.mutation<
      OpenClaimAfterCallApiResponse,
      OpenClaimAfterCallApiArg
    >({
      query: (queryArg) => ({
        url: `/api/claims`,
        method: "POST",
        body: queryArg.callCodeBody,
      }),
    }),
    getClaim: build.query<GetClaimApiResponse, GetClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/claims/${encodeURIComponent(String(queryArg.token))}`,
      }),
    }),
    sendClaimCode: build.mutation<
      SendClaimCodeApiResponse,
      SendClaimCodeApiArg
    >({
      query: (queryArg) => ({
        url: `/api/claims/${encodeURIComponent(String(queryArg.token))}/code`,
        method: "POST",
      }),
    }),
    declineClaim: build.mutation<DeclineClaimApiResponse, DeclineClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/claims/${encodeURIComponent(String(queryArg.token))}/decline`,
        method: "POST",
      }),
    }),
    objectToRejection: build.mutation<
      ObjectToRejectionApiResponse,
      ObjectToRejectionApiArg
    >({
      query: (queryArg) => ({
        url: `/api/claims/${encodeURIComponent(String(queryArg.token))}/object`,
        method: "POST",
        body: queryArg.objectionBody,
      }),
    }),
    proveClaim: build.mutation<ProveClaimApiResponse, ProveClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/claims/${encodeURIComponent(String(queryArg.token))}/prove`,
        method: "POST",
      }),
    }),
    submitClaim: build.mutation<SubmitClaimApiResponse, SubmitClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/claims/${encodeURIComponent(String(queryArg.token))}/submit`,
        method: "POST",
        body: queryArg.claimDetailsBody,
      }),
    }),
    verifyClaim: build.mutation<VerifyClaimApiResponse, VerifyClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/claims/${encodeURIComponent(String(queryArg.token))}/verify`,
        method: "POST",
        body: queryArg.claimCodeBody,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type OpenClaimAfterCallApiResponse =
  /** status 200 The answer sets the cookie of the bound browser */ OpenedClaimView;
export type OpenClaimAfterCallApiArg = {
  callCodeBody: CallCodeBody;
};
export type GetClaimApiResponse = /** status 200 undefined */ ClaimView;
export type GetClaimApiArg = {
  /** The secret of the link in the text: 32 lowercase hex digits. */
  token: string;
};
export type SendClaimCodeApiResponse =
  /** status 202 The answer sets the cookie of the browser that asked */ ClaimView;
export type SendClaimCodeApiArg = {
  /** The secret of the link in the text: 32 lowercase hex digits. */
  token: string;
};
export type DeclineClaimApiResponse = /** status 200 undefined */ ClaimView;
export type DeclineClaimApiArg = {
  /** The secret of the link in the text: 32 lowercase hex digits. */
  token: string;
};
export type ObjectToRejectionApiResponse =
  /** status 200 undefined */ ClaimView;
export type ObjectToRejectionApiArg = {
  /** The secret of the link in the text: 32 lowercase hex digits. */
  token: string;
  objectionBody: ObjectionBody;
};
export type ProveClaimApiResponse =
  /** status 200 The answer sets the cookie of the bound browser */ ClaimView;
export type ProveClaimApiArg = {
  /** The secret of the link in the text: 32 lowercase hex digits. */
  token: string;
};
export type SubmitClaimApiResponse = /** status 200 undefined */ ClaimView;
export type SubmitClaimApiArg = {
  /** The secret of the link in the text: 32 lowercase hex digits. */
  token: string;
  claimDetailsBody: ClaimDetailsBody;
};
export type VerifyClaimApiResponse =
  /** status 200 The answer sets the cookie of the bound browser */ ClaimView;
export type VerifyClaimApiArg = {
  /** The secret of the link in the text: 32 lowercase hex digits. */
  token: string;
  claimCodeBody: ClaimCodeBody;
};
export type OpenedClaimView = {
  /** The secret of the claim's link, for the other calls. */
  token: string;
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
export type CallCodeBody = {
  /** Ten letters and digits, as people type them. */
  code: string;
};
export type AwaitedCodeView = {
  /** The same in seconds from now on, for a browser whose clock is wrong. */
  expiresAfter: number;
  /** From when on the code is no longer valid. */
  expiresAt: string;
  /** After how many seconds another code can be sent. */
  resendAfter: number;
  /** Whether the provider said that no text can reach the number. */
  undeliverable: boolean;
};
export type LandingPageView = string;
export type PrizeView = {
  name: string;
  value: string;
};
export type ObjectionView = {
  at: string;
  message: string;
};
export type RejectionReasonView =
  | "underage"
  | "residence"
  | "affiliated"
  | "fraud"
  | "payment_reversed"
  | "false_details";
export type ClaimRejectionView = {
  /** What staff wrote to the winner. */
  note: string;
  /** Until when the winner can object. */
  objectUntil: string;
  objection: ObjectionView | null;
  reason: RejectionReasonView;
  rejectedAt: string;
};
export type ShipmentView = {
  carrier: string;
  shippedAt: string;
  trackingNumber: string;
  /** Where the carrier shows the parcel. Null for a carrier that we don't know. */
  trackingUrl: string | null;
};
export type ClaimStatusView =
  | "pending"
  | "code_verified"
  | "submitted"
  | "rejected"
  | "verified"
  | "shipped"
  | "delivered"
  | "declined"
  | "expired"
  | "unreachable";
export type ClaimView = {
  /** Whether this browser can prove the number without a code. */
  canProve: boolean;
  /** Whether codes can be sent to the number. */
  canText: boolean;
  code: AwaitedCodeView | null;
  drawingId: number;
  /** The deadline. Null until the first text was delivered or a call was noted, and after the details were sent. */
  expiresAt: string | null;
  /** Whether the number sent STOP. */
  hasOptedOut: boolean;
  /** Whether this browser proved the number. Only it can submit, decline or object. */
  isThisBrowser: boolean;
  landingPage: LandingPageView;
  /** Whether an open payment dispute pauses the claim: nothing is taken, and the deadline rests. */
  paused: boolean;
  /** Masked. */
  phoneNumber: string;
  prize: PrizeView;
  /** 0 for the entry that was drawn first. */
  rank: number;
  rejection: ClaimRejectionView | null;
  shipment: ShipmentView | null;
  status: ClaimStatusView;
  /** The number that texts come from. */
  textsFrom: string | null;
};
export type ObjectionBody = {
  /** 10 to 500 characters without the spaces around it. */
  message: string;
};
export type ClaimDetailsBody = {
  addressLine1: string;
  addressLine2?: string | null;
  city: string;
  /** Must be true. */
  isAdult: boolean;
  /** Must be true. */
  isResident: boolean;
  name: string;
  /** `12345` or `12345-6789`. */
  postalCode: string;
  /** Whether the first name and the state may be published. */
  publicity: boolean;
  /** Must be true. */
  rulesAccepted: boolean;
  /** The two letters of a state of the US, DC or a territory. */
  state: string;
};
export type ClaimCodeBody = {
  /** The six digits, as people type them. */
  code: string;
};
export const {
  useOpenClaimAfterCallMutation,
  useGetClaimQuery,
  useSendClaimCodeMutation,
  useDeclineClaimMutation,
  useObjectToRejectionMutation,
  useProveClaimMutation,
  useSubmitClaimMutation,
  useVerifyClaimMutation,
} = injectedRtkApi;
