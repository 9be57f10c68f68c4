import { adminApi as api } from './adminApi';
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getDashboard: build.query<GetDashboardApiResponse, GetDashboardApiArg>({
      query: () => ({ url: `/api/admin/analytics/dashboard` }),
    }),
    getFunnel: build.query<GetFunnelApiResponse, GetFunnelApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/analytics/funnel`,
        params: {
          landingPage: queryArg.landingPage,
          startDate: queryArg.startDate,
          endDate: queryArg.endDate,
        },
      }),
    }),
    getTrends: build.query<GetTrendsApiResponse, GetTrendsApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/analytics/trends`,
        params: {
          startDate: queryArg.startDate,
          endDate: queryArg.endDate,
        },
      }),
    }),
    listAuditLog: build.query<ListAuditLogApiResponse, ListAuditLogApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/audit-log`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
          action: queryArg.action,
          startDate: queryArg.startDate,
          endDate: queryArg.endDate,
        },
      }),
    }),
    clearAnalytics: build.mutation<ClearAnalyticsApiResponse, ClearAnalyticsApiArg>({
      query: () => ({ url: `/api/admin/clear-analytics`, method: 'POST' }),
    }),
    clearReferrals: build.mutation<ClearReferralsApiResponse, ClearReferralsApiArg>({
      query: () => ({ url: `/api/admin/clear-referrals`, method: 'POST' }),
    }),
    flagUser: build.mutation<FlagUserApiResponse, FlagUserApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/flag-user`,
        method: 'POST',
        body: queryArg.flagBody,
      }),
    }),
    listFlaggedUsers: build.query<ListFlaggedUsersApiResponse, ListFlaggedUsersApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/flagged-users`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    runFraudDetection: build.mutation<RunFraudDetectionApiResponse, RunFraudDetectionApiArg>({
      query: () => ({ url: `/api/admin/fraud-detection`, method: 'POST' }),
    }),
    login: build.mutation<LoginApiResponse, LoginApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/login`,
        method: 'POST',
        body: queryArg.loginBody,
      }),
    }),
    logout: build.mutation<LogoutApiResponse, LogoutApiArg>({
      query: () => ({ url: `/api/admin/logout`, method: 'POST' }),
    }),
    getStoredData: build.query<GetStoredDataApiResponse, GetStoredDataApiArg>({
      query: () => ({ url: `/api/admin/stored-data` }),
    }),
    unflagUser: build.mutation<UnflagUserApiResponse, UnflagUserApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/unflag-user`,
        method: 'POST',
        body: queryArg.flagBody,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type GetDashboardApiResponse = /** status 200 undefined */ DashboardView;
export type GetDashboardApiArg = void;
export type GetFunnelApiResponse = /** status 200 undefined */ {
  funnel: FunnelView;
};
export type GetFunnelApiArg = {
  landingPage?: string;
  startDate?: string;
  endDate?: string;
};
export type GetTrendsApiResponse = /** status 200 undefined */ TrendsView;
export type GetTrendsApiArg = {
  startDate?: string;
  endDate?: string;
};
export type ListAuditLogApiResponse = /** status 200 undefined */ {
  entries: AuditEntryView[];
};
export type ListAuditLogApiArg = {
  limit?: number;
  offset?: number;
  action?: string;
  startDate?: string;
  endDate?: string;
};
export type ClearAnalyticsApiResponse = /** status 200 undefined */ {
  success: boolean;
  deleted: AnalyticsRowsView;
};
export type ClearAnalyticsApiArg = void;
export type ClearReferralsApiResponse = /** status 200 undefined */ {
  success: boolean;
  deleted: ReferralRowsView;
};
export type ClearReferralsApiArg = void;
export type FlagUserApiResponse = /** status 200 undefined */ {
  success: boolean;
};
export type FlagUserApiArg = {
  flagBody: FlagBody;
};
export type ListFlaggedUsersApiResponse = /** status 200 undefined */ {
  flaggedUsers: FlaggedUserView[];
};
export type ListFlaggedUsersApiArg = {
  limit?: number;
  offset?: number;
};
export type RunFraudDetectionApiResponse = /** status 200 undefined */ {
  flagged: number;
};
export type RunFraudDetectionApiArg = void;
export type LoginApiResponse = /** status 200 undefined */ {
  sessionToken: string;
  expiresAt: string;
};
export type LoginApiArg = {
  loginBody: LoginBody;
};
export type LogoutApiResponse = /** status 200 undefined */ {
  success: boolean;
};
export type LogoutApiArg = void;
export type GetStoredDataApiResponse = /** status 200 undefined */ {
  analytics: AnalyticsRowsView;
  referrals: ReferralRowsView;
};
export type GetStoredDataApiArg = void;
export type UnflagUserApiResponse = /** status 200 undefined */ {
  success: boolean;
};
export type UnflagUserApiArg = {
  flagBody: FlagBody;
};
export type LandingPageView = 'garden-bag' | 'fresh-sips' | 'kitchen-garden' | 'sustainable-living';
export type DashboardView = {
  totalUsers: number;
  totalReferrals: number;
  totalPageViews: number;
  conversionRate: number;
  referralFunnel: ReferralFunnelView[];
  referralVelocity: ReferralVelocityView;
  topReferrers: TopReferrerView[];
  suspiciousActivity: SuspiciousActivityView[];
  landingPageStats: LandingPageStatsView[];
};
export type ReferralFunnelView = {
  referralCode: string;
  views: number;
  signups: number;
  referrals: number;
  shares: number;
  conversions: number;
};
export type ReferralVelocityView = {
  avgTimeToFirstReferral: number;
  avgReferralsPerUser: number;
};
export type TopReferrerView = {
  referralCode: string;
  phoneNumber: string;
  count: number;
};
export type SuspiciousActivityView = {
  ipAddress: string;
  count: number;
  flagged: boolean;
  userId?: number | null;
};
export type LandingPageStatsView = {
  landingPage: LandingPageView;
  users: number;
  referrals: number;
  pageViews: number;
};
export type FunnelView = {
  totalSessions: number;
  avgTimeSpent: number;
  stepBreakdown: {
    [key: string]: FunnelStepView;
  };
};
export type FunnelStepView = {
  count: number;
  exits: number;
};
export type TrendsView = {
  timeZone: string;
  unit: 'hour' | 'day';
  buckets: string[];
  raffles: RaffleTrendView[];
  velocity: VelocityBucketView[];
};
export type RaffleTrendView = {
  landingPage: LandingPageView;
  views: number[];
  signUps: number[];
};
export type VelocityBucketView = {
  underSeconds?: number | null;
  referrers: number;
};
export type AuditEntryView = {
  id: number;
  action: string;
  target?: string | null;
  details: {
    [key: string]: any;
  };
  ipAddress?: string | null;
  createdAt: string;
};
export type AnalyticsRowsView = {
  pageViews: number;
  socialShares: number;
  funnelSteps: number;
};
export type ReferralRowsView = {
  referrals: number;
  bonusEntries: number;
};
export type FlagBody = {
  userId: number;
  reason: string;
};
export type FlaggedUserView = {
  id: number;
  phoneNumber: string;
  landingPage: LandingPageView;
  totalEntries: number;
  ipAddress?: string | null;
  createdAt: string;
  reason: string;
  flaggedAt: string;
};
export type LoginBody = {
  username: string;
  password: string;
};
export const {
  useGetDashboardQuery,
  useGetFunnelQuery,
  useGetTrendsQuery,
  useListAuditLogQuery,
  useClearAnalyticsMutation,
  useClearReferralsMutation,
  useFlagUserMutation,
  useListFlaggedUsersQuery,
  useRunFraudDetectionMutation,
  useLoginMutation,
  useLogoutMutation,
  useGetStoredDataQuery,
  useUnflagUserMutation,
} = injectedRtkApi;
