import { baseApi as api } from "./baseApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    register: build.mutation<RegisterApiResponse, RegisterApiArg>({
      query: (queryArg) => ({
        url: `/api/users/register`,
        method: "POST",
        body: queryArg.registerBody,
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
      }),
    }),
    getUser: build.query<GetUserApiResponse, GetUserApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    getUserStats: build.query<GetUserStatsApiResponse, GetUserStatsApiArg>({
      query: (queryArg) => ({
        url: `/api/users/${encodeURIComponent(String(queryArg.id))}/stats`,
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
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type RegisterApiResponse = /** status 201 x */ Registered;
export type RegisterApiArg = {
  registerBody: RegisterBody;
};
export type RegisterReferredApiResponse = /** status 201 x */ Registered;
export type RegisterReferredApiArg = {
  registerReferredBody: RegisterReferredBody;
};
export type GetUserApiResponse = /** status 200 x */ User;
export type GetUserApiArg = {
  id: number;
};
export type GetUserStatsApiResponse = /** status 200 x */ UserStats;
export type GetUserStatsApiArg = {
  id: number;
};
export type ListReferralsApiResponse = /** status 200 x */ Referral[];
export type ListReferralsApiArg = {
  id: number;
  limit?: number;
  offset?: number;
};
export type LandingPage =
  "garden-bag" | "fresh-sips" | "kitchen-garden" | "sustainable-living";
export type RegisteredUser = {
  id: number;
  phoneNumber: string;
  referralCode: string;
  landingPage: LandingPage;
  isNew: boolean;
};
export type Registered = {
  user: RegisteredUser;
};
export type RegisterBody = {
  phoneNumber: string;
  landingPage?: LandingPage;
  event_id?: string;
  smsConsent?: boolean;
};
export type RegisterReferredBody = {
  phoneNumber: string;
  referralCode: string;
  landingPage?: LandingPage;
  event_id?: string;
  smsConsent?: boolean;
};
export type User = {
  id: number;
  phoneNumber: string;
  referralCode: string;
  landingPage: LandingPage;
  createdAt: string;
};
export type UserStats = {
  totalEntries: number;
  referralCount: number;
  baseEntries: number;
  bonusEntries: number;
  paidEntries: number;
};
export type Referral = {
  id: number;
  referredPhoneNumber: string;
  createdAt: string;
};
export const {
  useRegisterMutation,
  useRegisterReferredMutation,
  useGetUserQuery,
  useGetUserStatsQuery,
  useListReferralsQuery,
} = injectedRtkApi;
