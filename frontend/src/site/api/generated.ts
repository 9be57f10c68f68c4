import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    register: build.mutation<RegisterApiResponse, RegisterApiArg>({
      query: (queryArg) => ({
        url: `/api/users/register`,
        method: "POST",
        body: queryArg.registerBody,
        headers: {
          "X-Analytics-Session": queryArg["X-Analytics-Session"],
          "X-Analytics-Fingerprint": queryArg["X-Analytics-Fingerprint"],
        },
      }),
    }),
    registerReferred: build.mutation<
      RegisterReferredApiResponse,
      RegisterReferredApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/register-referred`,
        method: "POST",
        body: queryArg.registerReferredBody,
        headers: {
          "X-Analytics-Session": queryArg["X-Analytics-Session"],
          "X-Analytics-Fingerprint": queryArg["X-Analytics-Fingerprint"],
        },
      }),
    }),
    verify: build.mutation<VerifyApiResponse, VerifyApiArg>({
      query: (queryArg) => ({
        url: `/api/users/verify`,
        method: "POST",
        body: queryArg.verifyBody,
      }),
    }),
    resendCode: build.mutation<ResendCodeApiResponse, ResendCodeApiArg>({
      query: (queryArg) => ({
        url: `/api/users/verify/resend`,
        method: "POST",
        body: queryArg.resendBody,
      }),
    }),
    getVerification: build.query<
      GetVerificationApiResponse,
      GetVerificationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/verify/${encodeURIComponent(String(queryArg.verificationId))}`,
      }),
    }),
    getUser: build.query<GetUserApiResponse, GetUserApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    getAppeal: build.query<GetAppealApiResponse, GetAppealApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/appeal`,
      }),
    }),
    addAppeal: build.mutation<AddAppealApiResponse, AddAppealApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/appeal`,
        method: "POST",
        body: queryArg.appealBody,
      }),
    }),
    getConsent: build.query<GetConsentApiResponse, GetConsentApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/consent`,
      }),
    }),
    changeConsent: build.mutation<
      ChangeConsentApiResponse,
      ChangeConsentApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/consent`,
        method: "PUT",
        body: queryArg.consentBody,
      }),
    }),
    listReferrals: build.query<ListReferralsApiResponse, ListReferralsApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/referrals`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    getShareProgress: build.query<
      GetShareProgressApiResponse,
      GetShareProgressApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/share-progress`,
      }),
    }),
    signOutOtherBrowsers: build.mutation<
      SignOutOtherBrowsersApiResponse,
      SignOutOtherBrowsersApiArg
    >({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/sign-out-others`,
        method: "POST",
      }),
    }),
    getUserStats: build.query<GetUserStatsApiResponse, GetUserStatsApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/stats`,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type RegisterApiResponse =
  | /** status 200 The number had entered before */ EnteredView
  | /** status 201 Entered; the answer sets the visitor cookie */ EnteredView
  | /** status 202 A code was sent to the number; `/api/users/verify` completes the sign-up */ VerificationAnswer;
export type RegisterApiArg = {
  "X-Analytics-Session"?: string | null;
  "X-Analytics-Fingerprint"?: string | null;
  registerBody: RegisterBody;
};
export type RegisterReferredApiResponse =
  | /** status 200 The number had entered before; no friend is credited */ EnteredView
  | /** status 201 Entered; the answer sets the visitor cookie */ EnteredView
  | /** status 202 A code was sent to the number; `/api/users/verify` completes the sign-up */ VerificationAnswer;
export type RegisterReferredApiArg = {
  "X-Analytics-Session"?: string | null;
  "X-Analytics-Fingerprint"?: string | null;
  registerReferredBody: RegisterReferredBody;
};
export type VerifyApiResponse =
  | /** status 200 The number had entered before, and the answer sets the visitor cookie; or a request for data was completed */ VerifiedView
  | /** status 201 Entered; the answer sets the visitor cookie */ EnteredView;
export type VerifyApiArg = {
  verifyBody: VerifyBody;
};
export type ResendCodeApiResponse =
  /** status 202 Another code was sent */ VerificationAnswer;
export type ResendCodeApiArg = {
  resendBody: ResendBody;
};
export type GetVerificationApiResponse =
  /** status 200 undefined */ VerificationAnswer;
export type GetVerificationApiArg = {
  /** The id of the verification. */
  verificationId: string;
};
export type GetUserApiResponse = /** status 200 undefined */ UserView;
export type GetUserApiArg = {
  id: number;
};
export type GetAppealApiResponse = /** status 200 undefined */ StandingView;
export type GetAppealApiArg = {
  id: number;
};
export type AddAppealApiResponse = /** status 201 undefined */ StandingView;
export type AddAppealApiArg = {
  id: number;
  appealBody: AppealBody;
};
export type GetConsentApiResponse = /** status 200 undefined */ ConsentView;
export type GetConsentApiArg = {
  id: number;
};
export type ChangeConsentApiResponse = /** status 200 undefined */ ConsentView;
export type ChangeConsentApiArg = {
  id: number;
  consentBody: ConsentBody;
};
export type ListReferralsApiResponse =
  /** status 200 undefined */ ReferralView[];
export type ListReferralsApiArg = {
  id: number;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type GetShareProgressApiResponse =
  /** status 200 undefined */ ShareProgressView;
export type GetShareProgressApiArg = {
  id: number;
};
export type SignOutOtherBrowsersApiResponse = unknown;
export type SignOutOtherBrowsersApiArg = {
  id: number;
};
export type GetUserStatsApiResponse = /** status 200 undefined */ StatsView;
export type GetUserStatsApiArg = {
  id: number;
};
export type LandingPageView = string;
export type EnteredUserView = {
  /** Random: a JavaScript number holds it exactly. */
  id: number;
  /** False if the number had entered before. */
  isNew: boolean;
  /** The raffle that the number is in. It stays in it while that one is open, or a regular drawing of it is still to come. */
  landingPage: LandingPageView;
  movedFrom?: LandingPageView | null;
  /** The submitted number in E.164. */
  phoneNumber: string;
  referralCode: string;
};
export type EnteredView = {
  user: EnteredUserView;
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
export type VerificationView = AwaitedCodeView & {
  /** The number that texts come from. */
  from: string;
  /** Worth nothing without the cookie that this answer sets. */
  id: string;
};
export type VerificationAnswer = {
  verification: VerificationView;
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
export type RegisterBody = {
  /** The client's id of this sign-up for the ads pixel, which counts it once. */
  event_id?: string | null;
  landingPage?: LandingPageView | null;
  /** As people type it: digits, spaces, dashes, parentheses, and one leading plus sign. */
  phoneNumber: string;
  /** Whether the visitor agreed to campaign messages. */
  smsConsent?: boolean | null;
};
export type RegisterReferredBody = {
  /** The client's id of this sign-up for the ads pixel, which counts it once. */
  event_id?: string | null;
  landingPage?: LandingPageView | null;
  /** As people type it: digits, spaces, dashes, parentheses, and one leading plus sign. */
  phoneNumber: string;
  /** The friend's referral code, in upper or lower case. */
  referralCode: string;
  /** Whether the visitor agreed to campaign messages. */
  smsConsent?: boolean | null;
};
export type DataRequestTypeView = "export" | "erasure";
export type DataRequestStatusView =
  "pending" | "completed" | "failed" | "expired";
export type DataVerificationView = AwaitedCodeView & {
  /** The `verificationId` of `POST /api/users/verify`. */
  id: string;
};
export type DataRequestView = {
  completedAt: string | null;
  createdAt: string;
  /** Until when the code counts, or the link works. */
  expiresAt: string | null;
  /** The path of a completed export that has not expired. In a list, only of one that whoever reads asked for; staff see it
    once, when they make the copy. */
  fileUrl: string | null;
  id: number;
  requestType: DataRequestTypeView;
  status: DataRequestStatusView;
  verification: DataVerificationView | null;
};
export type VerifiedView = EnteredView | DataRequestView;
export type VerifyBody = {
  /** The six digits, as people type them. */
  code: string;
  /** The id of the verification. */
  verificationId: string;
};
export type ResendBody = {
  /** The id of the verification. */
  verificationId: string;
};
export type LastDrawingView = {
  /** When it is due; `null` while staff have not announced it. */
  dueAt: string | null;
};
export type UserView = {
  createdAt: string;
  /** Random: a JavaScript number holds it exactly. */
  id: number;
  landingPage: LandingPageView;
  lastDrawing: LastDrawingView | null;
  /** In full for the browser that entered it, or else the last four digits. */
  phoneNumber: string;
  referralCode: string;
};
export type AppealStatusView = "open" | "accepted" | "rejected";
export type OwnAppealView = {
  createdAt: string;
  /** Null while it is open. */
  decidedAt: string | null;
  message: string;
  /** What staff wrote about the decision. */
  note: string | null;
  status: AppealStatusView;
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
export type OwnClaimView = {
  /** Until when the prize can be claimed; null while no time runs, and once it is claimed. */
  claimBy: string | null;
  status: ClaimStatusView;
  /** The page of the claim, by its secret link. */
  url: string;
};
export type OwnDrawingView = {
  claim: OwnClaimView | null;
  drawnAt: string;
  id: number;
};
export type StandingView = {
  appeal: OwnAppealView | null;
  /** Whether an appeal would be taken now. */
  canAppeal: boolean;
  drawing: OwnDrawingView | null;
  /** Whether the entries are on hold: they do not count in drawings. */
  onHold: boolean;
  /** Why, in one sentence, if they are on hold. */
  why: string | null;
};
export type AppealBody = {
  /** 10 to 500 characters without the spaces around it. */
  message: string;
};
export type ConsentView = {
  /** Whether the number gets no texts at all, because it sent STOP. Only a text that says START lifts that. */
  hasOptedOut: boolean;
  /** Whether the entrant has consented. */
  smsCampaigns: boolean;
  /** The number that texts come from, to send START to; null while texts are not configured. */
  textsFrom: string | null;
};
export type ConsentBody = {
  smsCampaigns: boolean;
};
export type ReferralView = {
  createdAt: string;
  id: number;
  /** In full for the browser that entered the inviter, or else the last four digits. */
  referredPhoneNumber: string;
};
export type ShareProgressView = {
  /** What was reached: `first_share`, `both_channels`, `three_day_streak` and `five_friends`. */
  achievements: string[];
  /** The entries for sharing. It is always 0: only friends who enter give entries. */
  bonusEntries: number;
  /** The last date on which it was shared, by the site's calendar. */
  lastShareDate: string | null;
  /** The level: 1, and 1 more for each 100 points. */
  level: number;
  /** The platforms on which the link was shared. */
  platformsShared: string[];
  /** The days in a row on which it was shared, until today or yesterday. */
  shareStreak: number;
  /** How often it was shared. */
  totalShares: number;
  /** The points: 10 for each platform and date. */
  xp: number;
};
export type StatsView = {
  /** Entries for entering. */
  baseEntries: number;
  /** Entries for friends, and free ones. */
  bonusEntries: number;
  /** Entries for friends that do not count now, because the friends are flagged. No other number contains them. */
  entriesOnHold: number;
  /** Those of the bonus entries that were claimed for free. */
  freeEntries: number;
  /** Entries that were bought; the screens call them Bonus Entries. */
  paidEntries: number;
  /** Friends who entered through the link. */
  referralCount: number;
  totalEntries: number;
};
export const {
  useRegisterMutation,
  useRegisterReferredMutation,
  useVerifyMutation,
  useResendCodeMutation,
  useGetVerificationQuery,
  useGetUserQuery,
  useGetAppealQuery,
  useAddAppealMutation,
  useGetConsentQuery,
  useChangeConsentMutation,
  useListReferralsQuery,
  useGetShareProgressQuery,
  useSignOutOtherBrowsersMutation,
  useGetUserStatsQuery,
} = injectedRtkApi;
