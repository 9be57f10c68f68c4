import { adminApi as api } from "./adminApi";
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
          action: queryArg.action,
          startDate: queryArg.startDate,
          endDate: queryArg.endDate,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    listClaims: build.query<ListClaimsApiResponse, ListClaimsApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/claims`,
        params: {
          status: queryArg.status,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    getClaimDetails: build.query<
      GetClaimDetailsApiResponse,
      GetClaimDetailsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/claims/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    approveClaim: build.mutation<ApproveClaimApiResponse, ApproveClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/claims/${encodeURIComponent(String(queryArg.id))}/approve`,
        method: "POST",
      }),
    }),
    noteClaimCall: build.mutation<
      NoteClaimCallApiResponse,
      NoteClaimCallApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/claims/${encodeURIComponent(String(queryArg.id))}/called`,
        method: "POST",
        body: queryArg.claimNoteBody,
      }),
    }),
    confirmClaimNumber: build.mutation<
      ConfirmClaimNumberApiResponse,
      ConfirmClaimNumberApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/claims/${encodeURIComponent(String(queryArg.id))}/confirm-number`,
        method: "POST",
        body: queryArg.claimNoteBody,
      }),
    }),
    markPrizeDelivered: build.mutation<
      MarkPrizeDeliveredApiResponse,
      MarkPrizeDeliveredApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/claims/${encodeURIComponent(String(queryArg.id))}/delivered`,
        method: "POST",
      }),
    }),
    rejectClaim: build.mutation<RejectClaimApiResponse, RejectClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/claims/${encodeURIComponent(String(queryArg.id))}/reject`,
        method: "POST",
        body: queryArg.rejectionBody,
      }),
    }),
    resendClaim: build.mutation<ResendClaimApiResponse, ResendClaimApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/claims/${encodeURIComponent(String(queryArg.id))}/resend`,
        method: "POST",
      }),
    }),
    markPrizeShipped: build.mutation<
      MarkPrizeShippedApiResponse,
      MarkPrizeShippedApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/claims/${encodeURIComponent(String(queryArg.id))}/shipped`,
        method: "POST",
        body: queryArg.shipmentBody,
      }),
    }),
    markClaimUnreachable: build.mutation<
      MarkClaimUnreachableApiResponse,
      MarkClaimUnreachableApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/claims/${encodeURIComponent(String(queryArg.id))}/unreachable`,
        method: "POST",
      }),
    }),
    clearAnalytics: build.mutation<
      ClearAnalyticsApiResponse,
      ClearAnalyticsApiArg
    >({
      query: () => ({ url: `/api/admin/clear-analytics`, method: "POST" }),
    }),
    clearReferrals: build.mutation<
      ClearReferralsApiResponse,
      ClearReferralsApiArg
    >({
      query: () => ({ url: `/api/admin/clear-referrals`, method: "POST" }),
    }),
    listDrawingHistory: build.query<
      ListDrawingHistoryApiResponse,
      ListDrawingHistoryApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/drawing/history`,
        params: {
          sort: queryArg.sort,
          order: queryArg.order,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    performDrawing: build.mutation<
      PerformDrawingApiResponse,
      PerformDrawingApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/drawing/perform`,
        method: "POST",
        body: queryArg.performDrawingBody,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    getDrawingStats: build.query<
      GetDrawingStatsApiResponse,
      GetDrawingStatsApiArg
    >({
      query: () => ({ url: `/api/admin/drawing/stats` }),
    }),
    getDrawing: build.query<GetDrawingApiResponse, GetDrawingApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/drawing/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    bringBeacon: build.mutation<BringBeaconApiResponse, BringBeaconApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/drawing/${encodeURIComponent(String(queryArg.id))}/beacon`,
        method: "POST",
        body: queryArg.beaconBody,
      }),
    }),
    voidDrawing: build.mutation<VoidDrawingApiResponse, VoidDrawingApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/drawing/${encodeURIComponent(String(queryArg.id))}/void`,
        method: "POST",
        body: queryArg.voidBody,
      }),
    }),
    listPackages: build.query<ListPackagesApiResponse, ListPackagesApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/entry-packages`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    createPackage: build.mutation<
      CreatePackageApiResponse,
      CreatePackageApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/entry-packages`,
        method: "POST",
        body: queryArg.packageBody,
      }),
    }),
    updatePackage: build.mutation<
      UpdatePackageApiResponse,
      UpdatePackageApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/entry-packages/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.packageBody,
      }),
    }),
    deletePackage: build.mutation<
      DeletePackageApiResponse,
      DeletePackageApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/entry-packages/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    flagUser: build.mutation<FlagUserApiResponse, FlagUserApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/flag-user`,
        method: "POST",
        body: queryArg.flagBody,
      }),
    }),
    listFlaggedUsers: build.query<
      ListFlaggedUsersApiResponse,
      ListFlaggedUsersApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/flagged-users`,
        params: {
          search: queryArg.search,
          landingPage: queryArg.landingPage,
          sort: queryArg.sort,
          order: queryArg.order,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    runFraudDetection: build.mutation<
      RunFraudDetectionApiResponse,
      RunFraudDetectionApiArg
    >({
      query: () => ({ url: `/api/admin/fraud-detection`, method: "POST" }),
    }),
    listAppeals: build.query<ListAppealsApiResponse, ListAppealsApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/fraud/appeals`,
        params: {
          status: queryArg.status,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    decideAppeal: build.mutation<DecideAppealApiResponse, DecideAppealApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/fraud/appeals/${encodeURIComponent(String(queryArg.id))}/decide`,
        method: "POST",
        body: queryArg.decisionBody,
      }),
    }),
    listSharedNetworks: build.query<
      ListSharedNetworksApiResponse,
      ListSharedNetworksApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/fraud/networks`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    addSharedNetwork: build.mutation<
      AddSharedNetworkApiResponse,
      AddSharedNetworkApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/fraud/networks`,
        method: "POST",
        body: queryArg.sharedNetworkBody,
      }),
    }),
    removeSharedNetwork: build.mutation<
      RemoveSharedNetworkApiResponse,
      RemoveSharedNetworkApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/fraud/networks/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    listJobs: build.query<ListJobsApiResponse, ListJobsApiArg>({
      query: () => ({ url: `/api/admin/jobs` }),
    }),
    getJob: build.query<GetJobApiResponse, GetJobApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/jobs/${encodeURIComponent(String(queryArg.jobId))}`,
      }),
    }),
    adminLogin: build.mutation<AdminLoginApiResponse, AdminLoginApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/login`,
        method: "POST",
        body: queryArg.loginBody,
      }),
    }),
    adminLogout: build.mutation<AdminLogoutApiResponse, AdminLogoutApiArg>({
      query: () => ({ url: `/api/admin/logout`, method: "POST" }),
    }),
    uploadPicture: build.mutation<
      UploadPictureApiResponse,
      UploadPictureApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/media`,
        method: "POST",
        body: queryArg.body,
      }),
    }),
    withdrawPicture: build.mutation<
      WithdrawPictureApiResponse,
      WithdrawPictureApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/media/${encodeURIComponent(String(queryArg.hash))}`,
        method: "DELETE",
      }),
    }),
    getOpening: build.query<GetOpeningApiResponse, GetOpeningApiArg>({
      query: () => ({ url: `/api/admin/opening` }),
    }),
    listPurchases: build.query<ListPurchasesApiResponse, ListPurchasesApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/purchases`,
        params: {
          search: queryArg.search,
          state: queryArg.state,
          landingPage: queryArg.landingPage,
          startDate: queryArg.startDate,
          endDate: queryArg.endDate,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    listRaffles: build.query<ListRafflesApiResponse, ListRafflesApiArg>({
      query: () => ({ url: `/api/admin/raffles` }),
    }),
    createRaffle: build.mutation<CreateRaffleApiResponse, CreateRaffleApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/raffles`,
        method: "POST",
        body: queryArg.newRaffleBody,
      }),
    }),
    orderRaffles: build.mutation<OrderRafflesApiResponse, OrderRafflesApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/raffles/order`,
        method: "PUT",
        body: queryArg.raffleOrderBody,
      }),
    }),
    getRaffle: build.query<GetRaffleApiResponse, GetRaffleApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/raffles/${encodeURIComponent(String(queryArg.landingPage))}`,
      }),
    }),
    deleteRaffle: build.mutation<DeleteRaffleApiResponse, DeleteRaffleApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/raffles/${encodeURIComponent(String(queryArg.landingPage))}`,
        method: "DELETE",
      }),
    }),
    closeRaffle: build.mutation<CloseRaffleApiResponse, CloseRaffleApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/raffles/${encodeURIComponent(String(queryArg.landingPage))}/close`,
        method: "POST",
        body: queryArg.closeRaffleBody,
      }),
    }),
    copyRaffle: build.mutation<CopyRaffleApiResponse, CopyRaffleApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/raffles/${encodeURIComponent(String(queryArg.landingPage))}/copy`,
        method: "POST",
        body: queryArg.copyRaffleBody,
      }),
    }),
    saveRaffleDraft: build.mutation<
      SaveRaffleDraftApiResponse,
      SaveRaffleDraftApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/raffles/${encodeURIComponent(String(queryArg.landingPage))}/draft`,
        method: "PUT",
        body: queryArg.saveDraftBody,
      }),
    }),
    openRaffle: build.mutation<OpenRaffleApiResponse, OpenRaffleApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/raffles/${encodeURIComponent(String(queryArg.landingPage))}/open`,
        method: "POST",
        body: queryArg.openRaffleBody,
      }),
    }),
    publishRaffle: build.mutation<
      PublishRaffleApiResponse,
      PublishRaffleApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/raffles/${encodeURIComponent(String(queryArg.landingPage))}/publish`,
        method: "POST",
        body: queryArg.publishBody,
      }),
    }),
    getSales: build.query<GetSalesApiResponse, GetSalesApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/sales`,
        params: {
          startDate: queryArg.startDate,
          endDate: queryArg.endDate,
        },
      }),
    }),
    getSettings: build.query<GetSettingsApiResponse, GetSettingsApiArg>({
      query: () => ({ url: `/api/admin/settings` }),
    }),
    updateSettings: build.mutation<
      UpdateSettingsApiResponse,
      UpdateSettingsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/settings`,
        method: "POST",
        body: queryArg.settingsBody,
      }),
    }),
    getShippingList: build.query<
      GetShippingListApiResponse,
      GetShippingListApiArg
    >({
      query: () => ({ url: `/api/admin/shipping-list` }),
    }),
    getStoredData: build.query<GetStoredDataApiResponse, GetStoredDataApiArg>({
      query: () => ({ url: `/api/admin/stored-data` }),
    }),
    unflagUser: build.mutation<UnflagUserApiResponse, UnflagUserApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/unflag-user`,
        method: "POST",
        body: queryArg.unflagBody,
      }),
    }),
    countWaiting: build.query<CountWaitingApiResponse, CountWaitingApiArg>({
      query: () => ({ url: `/api/admin/waiting` }),
    }),
    listEntryPackages: build.query<
      ListEntryPackagesApiResponse,
      ListEntryPackagesApiArg
    >({
      query: () => ({ url: `/api/entry-packages` }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type GetDashboardApiResponse = /** status 200 undefined */ DashboardView;
export type GetDashboardApiArg = void;
export type GetFunnelApiResponse = /** status 200 undefined */ FunnelAnswer;
export type GetFunnelApiArg = {
  /** Only of this raffle; without it, or with `all`, of all raffles. */
  landingPage?: LandingPageView;
  /** The first day; from the beginning without it. */
  startDate?: string;
  /** The last day; until now without it. */
  endDate?: string;
};
export type GetTrendsApiResponse = /** status 200 undefined */ TrendsView;
export type GetTrendsApiArg = {
  /** The first day; from the beginning without it. */
  startDate?: string;
  /** The last day; until now without it. */
  endDate?: string;
};
export type ListAuditLogApiResponse = /** status 200 undefined */ AuditLogView;
export type ListAuditLogApiArg = {
  /** Only this action. */
  action?: ActionView;
  /** The first day; from the beginning without it. */
  startDate?: string;
  /** The last day; until now without it. */
  endDate?: string;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type ListClaimsApiResponse = /** status 200 undefined */ ClaimsView;
export type ListClaimsApiArg = {
  /** Only claims with this status, or `needs_call`. */
  status?: string;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type GetClaimDetailsApiResponse =
  /** status 200 undefined */ ClaimDetailView;
export type GetClaimDetailsApiArg = {
  id: number;
};
export type ApproveClaimApiResponse =
  | /** status 200 undefined */ ClaimDetailView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type ApproveClaimApiArg = {
  id: number;
};
export type NoteClaimCallApiResponse =
  /** status 200 undefined */ ClaimDetailView;
export type NoteClaimCallApiArg = {
  id: number;
  claimNoteBody: ClaimNoteBody;
};
export type ConfirmClaimNumberApiResponse =
  | /** status 200 undefined */ ClaimDetailView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type ConfirmClaimNumberApiArg = {
  id: number;
  claimNoteBody: ClaimNoteBody;
};
export type MarkPrizeDeliveredApiResponse =
  /** status 200 undefined */ ClaimDetailView;
export type MarkPrizeDeliveredApiArg = {
  id: number;
};
export type RejectClaimApiResponse =
  | /** status 200 undefined */ ClaimDetailView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type RejectClaimApiArg = {
  id: number;
  rejectionBody: RejectionBody;
};
export type ResendClaimApiResponse =
  /** status 200 undefined */ ClaimDetailView;
export type ResendClaimApiArg = {
  id: number;
};
export type MarkPrizeShippedApiResponse =
  /** status 200 undefined */ ClaimDetailView;
export type MarkPrizeShippedApiArg = {
  id: number;
  shipmentBody: ShipmentBody;
};
export type MarkClaimUnreachableApiResponse =
  /** status 200 undefined */ ClaimDetailView;
export type MarkClaimUnreachableApiArg = {
  id: number;
};
export type ClearAnalyticsApiResponse =
  | /** status 200 undefined */ ClearedAnalyticsView
  | /** status 202 It takes longer, or was running already; or somebody else must approve it */ ClearingAcceptedView;
export type ClearAnalyticsApiArg = void;
export type ClearReferralsApiResponse =
  | /** status 200 undefined */ ClearedReferralsView
  | /** status 202 It takes longer, or was running already; or somebody else must approve it */ ClearingAcceptedView;
export type ClearReferralsApiArg = void;
export type ListDrawingHistoryApiResponse =
  /** status 200 undefined */ DrawingView[];
export type ListDrawingHistoryApiArg = {
  /** The field to sort by; `createdAt` without it. */
  sort?: DrawingSortView;
  /** The direction; `desc` without it. */
  order?: SortOrderView;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type PerformDrawingApiResponse =
  | /** status 201 It is drawn */ DrawingView
  | /** status 202 It is sealed, and the server draws it when the round of the beacon comes; or it is announced, and the server seals it later; or somebody else must approve an additional drawing */ DrawingAcceptedView;
export type PerformDrawingApiArg = {
  /** 1 to 255 visible ASCII characters */
  "Idempotency-Key"?: string | null;
  performDrawingBody: PerformDrawingBody;
};
export type GetDrawingStatsApiResponse =
  /** status 200 undefined */ DrawingStatsView;
export type GetDrawingStatsApiArg = void;
export type GetDrawingApiResponse = /** status 200 undefined */ DrawingView;
export type GetDrawingApiArg = {
  id: number;
};
export type BringBeaconApiResponse = /** status 200 undefined */ DrawingView;
export type BringBeaconApiArg = {
  id: number;
  beaconBody: BeaconBody;
};
export type VoidDrawingApiResponse =
  | /** status 200 undefined */ DrawingView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type VoidDrawingApiArg = {
  id: number;
  voidBody: VoidBody;
};
export type ListPackagesApiResponse = /** status 200 undefined */ PackagesView;
export type ListPackagesApiArg = {
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type CreatePackageApiResponse = /** status 201 undefined */ PackageView;
export type CreatePackageApiArg = {
  packageBody: PackageBody;
};
export type UpdatePackageApiResponse = /** status 200 undefined */ PackageView;
export type UpdatePackageApiArg = {
  id: number;
  packageBody: PackageBody;
};
export type DeletePackageApiResponse = /** status 200 undefined */ SuccessView;
export type DeletePackageApiArg = {
  id: number;
};
export type FlagUserApiResponse = /** status 200 undefined */ SuccessView;
export type FlagUserApiArg = {
  flagBody: FlagBody;
};
export type ListFlaggedUsersApiResponse =
  /** status 200 undefined */ FlaggedUsersView;
export type ListFlaggedUsersApiArg = {
  /** Only entrants whose IP address or reason contains this, without regard to the case of the letters A to Z; digits
    are also looked for in the numbers. */
  search?: string;
  /** Only entrants of this raffle; without it, or with `all`, of all raffles. */
  landingPage?: LandingPageView;
  /** The field to sort by; `flaggedAt` without it. */
  sort?: FlaggedSortView;
  /** The direction; `desc` without it. */
  order?: SortOrderView;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type RunFraudDetectionApiResponse =
  /** status 200 undefined */ DetectionView;
export type RunFraudDetectionApiArg = void;
export type ListAppealsApiResponse = /** status 200 undefined */ AppealsView;
export type ListAppealsApiArg = {
  /** Only appeals with this status. */
  status?: AppealStatusView;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type DecideAppealApiResponse = /** status 200 undefined */ AppealView;
export type DecideAppealApiArg = {
  id: number;
  decisionBody: DecisionBody;
};
export type ListSharedNetworksApiResponse =
  /** status 200 undefined */ SharedNetworksView;
export type ListSharedNetworksApiArg = {
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type AddSharedNetworkApiResponse =
  /** status 201 undefined */ SharedNetworkView;
export type AddSharedNetworkApiArg = {
  sharedNetworkBody: SharedNetworkBody;
};
export type RemoveSharedNetworkApiResponse =
  /** status 200 undefined */ SuccessView;
export type RemoveSharedNetworkApiArg = {
  id: number;
};
export type ListJobsApiResponse = /** status 200 undefined */ JobsView;
export type ListJobsApiArg = void;
export type GetJobApiResponse = /** status 200 undefined */ JobView;
export type GetJobApiArg = {
  jobId: number;
};
export type AdminLoginApiResponse = /** status 200 undefined */ LoginView;
export type AdminLoginApiArg = {
  loginBody: LoginBody;
};
export type AdminLogoutApiResponse = /** status 200 undefined */ SuccessView;
export type AdminLogoutApiArg = void;
export type UploadPictureApiResponse = /** status 200 undefined */ PictureView;
export type UploadPictureApiArg = {
  /** The bytes of the file. Its content type does not matter */
  body: string;
};
export type WithdrawPictureApiResponse =
  /** status 200 undefined */ SuccessView;
export type WithdrawPictureApiArg = {
  /** The name of the picture */
  hash: string;
};
export type GetOpeningApiResponse = /** status 200 undefined */ OpeningView;
export type GetOpeningApiArg = void;
export type ListPurchasesApiResponse =
  /** status 200 undefined */ ListedPurchasesView;
export type ListPurchasesApiArg = {
  /** A phone number in any spelling, its last four digits, a referral code or an id of the buyer, or the payment's id at the
    provider. Without it, all. */
  search?: string;
  /** Only purchases in this state. */
  state?: PurchaseStateView;
  /** Only those of this raffle; without it, or with `all`, of all raffles. */
  landingPage?: LandingPageView;
  /** The first day; from the beginning without it. */
  startDate?: string;
  /** The last day; until now without it. */
  endDate?: string;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type ListRafflesApiResponse = /** status 200 undefined */ RafflesView;
export type ListRafflesApiArg = void;
export type CreateRaffleApiResponse =
  /** status 201 undefined */ RaffleFileView;
export type CreateRaffleApiArg = {
  newRaffleBody: NewRaffleBody;
};
export type OrderRafflesApiResponse = unknown;
export type OrderRafflesApiArg = {
  raffleOrderBody: RaffleOrderBody;
};
export type GetRaffleApiResponse = /** status 200 undefined */ RaffleFileView;
export type GetRaffleApiArg = {
  landingPage: LandingPageView;
};
export type DeleteRaffleApiResponse = unknown;
export type DeleteRaffleApiArg = {
  landingPage: LandingPageView;
};
export type CloseRaffleApiResponse =
  | /** status 200 undefined */ RaffleOpeningView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type CloseRaffleApiArg = {
  landingPage: LandingPageView;
  closeRaffleBody: CloseRaffleBody;
};
export type CopyRaffleApiResponse = /** status 201 undefined */ RaffleFileView;
export type CopyRaffleApiArg = {
  landingPage: LandingPageView;
  copyRaffleBody: CopyRaffleBody;
};
export type SaveRaffleDraftApiResponse =
  /** status 200 undefined */ RaffleDraftView;
export type SaveRaffleDraftApiArg = {
  landingPage: LandingPageView;
  saveDraftBody: SaveDraftBody;
};
export type OpenRaffleApiResponse =
  | /** status 200 undefined */ RaffleOpeningView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type OpenRaffleApiArg = {
  landingPage: LandingPageView;
  openRaffleBody: OpenRaffleBody;
};
export type PublishRaffleApiResponse =
  | /** status 200 undefined */ PublishedView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type PublishRaffleApiArg = {
  landingPage: LandingPageView;
  publishBody: PublishBody;
};
export type GetSalesApiResponse = /** status 200 undefined */ SalesView;
export type GetSalesApiArg = {
  /** The first day; from the beginning without it. */
  startDate?: string;
  /** The last day; until now without it. */
  endDate?: string;
};
export type GetSettingsApiResponse = /** status 200 undefined */ SettingsView;
export type GetSettingsApiArg = void;
export type UpdateSettingsApiResponse =
  | /** status 200 undefined */ SettingsView
  | /** status 202 Somebody else must approve that packages are shown */ ProposedView;
export type UpdateSettingsApiArg = {
  settingsBody: SettingsBody;
};
export type GetShippingListApiResponse =
  /** status 200 undefined */ ShippingListView;
export type GetShippingListApiArg = void;
export type GetStoredDataApiResponse =
  /** status 200 undefined */ StoredDataView;
export type GetStoredDataApiArg = void;
export type UnflagUserApiResponse = /** status 200 undefined */ SuccessView;
export type UnflagUserApiArg = {
  unflagBody: UnflagBody;
};
export type CountWaitingApiResponse = /** status 200 undefined */ WaitingView;
export type CountWaitingApiArg = void;
export type ListEntryPackagesApiResponse =
  /** status 200 undefined */ OfferView;
export type ListEntryPackagesApiArg = void;
export type LandingPageView = string;
export type LandingPageStatsView = {
  landingPage: LandingPageView;
  /** Views of its sign-up page. */
  pageViews: number;
  /** Friends of its entrants. */
  referrals: number;
  users: number;
};
export type ReferralFunnelRowView = {
  /** How many of the sign-ups bought something. */
  conversions: number;
  referralCode: string;
  /** Credited referrals. */
  referrals: number;
  /** How often the code was shared. */
  shares: number;
  /** Entrants who came with the code. */
  signups: number;
  /** Page views with the code. */
  views: number;
};
export type ReferralVelocityView = {
  avgReferralsPerUser: number;
  /** Average seconds from entering to the first friend, over entrants who brought one. */
  avgTimeToFirstReferral: number;
};
export type SuspiciousActivityView = {
  /** Entrants on this network. */
  count: number;
  /** Whether each of them is flagged or was unflagged by staff. */
  flagged: boolean;
  /** An IPv4 address, or an IPv6 network in CIDR form, which is a /64. */
  ipAddress: string;
  /** The newest of them who is neither; left out if `flagged`. */
  userId?: number | null;
};
export type TopReferrerView = {
  count: number;
  /** The last four digits. */
  phoneNumber: string;
  referralCode: string;
};
export type DashboardView = {
  /** Users per hundred views; 0 without views. */
  conversionRate: number;
  /** The raffles that were ever open, in their order. */
  landingPageStats: LandingPageStatsView[];
  /** The 50 referral codes with the most sign-ups. */
  referralFunnel: ReferralFunnelRowView[];
  referralVelocity: ReferralVelocityView;
  /** The 50 networks with the most entrants.
    Empty for viewers. */
  suspiciousActivity: SuspiciousActivityView[];
  /** The 50 entrants who brought the most friends. */
  topReferrers: TopReferrerView[];
  /** Views of any page. */
  totalPageViews: number;
  totalReferrals: number;
  totalUsers: number;
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
export type StepView = {
  /** Sessions that reached the step. */
  count: number;
  /** Sessions that ended at the step. */
  exits: number;
};
export type FunnelView = {
  /** Average seconds on pages per session. */
  avgTimeSpent: number;
  /** The steps by name, in the order of the funnel. Steps that did not occur are left out. */
  stepBreakdown: {
    [key: string]: StepView;
  };
  /** Sessions that began in the range. */
  totalSessions: number;
};
export type FunnelAnswer = {
  funnel: FunnelView;
};
export type RaffleTrendView = {
  landingPage: LandingPageView;
  /** Entrants. */
  signUps: number[];
  /** Views of its sign-up page. */
  views: number[];
};
export type UnitView = "hour" | "day";
export type VelocityView = {
  referrers: number;
  /** The upper limit in seconds; null for the last bar. */
  underSeconds: number | null;
};
export type TrendsView = {
  /** The beginning of each bucket. */
  buckets: string[];
  /** The raffles that were ever open. */
  raffles: RaffleTrendView[];
  timeZone: string;
  unit: UnitView;
  /** How many entrants brought their first friend within a time, over all time. */
  velocity: VelocityView[];
};
export type ActionView =
  | "login"
  | "logout"
  | "flag_user"
  | "unflag_user"
  | "fraud_detection"
  | "decide_appeal"
  | "add_shared_network"
  | "remove_shared_network"
  | "clear_analytics"
  | "clear_referrals"
  | "announce_drawing"
  | "perform_drawing"
  | "bring_beacon"
  | "void_drawing"
  | "create_raffle"
  | "save_raffle_draft"
  | "publish_raffle"
  | "order_raffles"
  | "delete_raffle"
  | "open_raffle"
  | "close_raffle"
  | "upload_picture"
  | "withdraw_picture"
  | "create_package"
  | "update_package"
  | "delete_package"
  | "update_settings"
  | "create_sms_template"
  | "update_sms_template"
  | "schedule_campaign"
  | "update_campaign"
  | "cancel_campaign"
  | "create_welcome_sms"
  | "update_welcome_sms"
  | "delete_welcome_sms"
  | "save_credentials"
  | "send_test_text"
  | "clear_campaigns"
  | "clear_sms"
  | "approve_claim"
  | "reject_claim"
  | "ship_prize"
  | "deliver_prize"
  | "resend_claim"
  | "note_call"
  | "confirm_number"
  | "show_call_code"
  | "mark_unreachable"
  | "view_claim_details"
  | "change_start_setting"
  | "run_retention"
  | "edit_person"
  | "import_people"
  | "export_person"
  | "download_copy"
  | "erase_person"
  | "mark_duplicate"
  | "unmark_duplicate"
  | "login_failed"
  | "invite_member"
  | "reinvite_member"
  | "show_invitation"
  | "accept_invitation"
  | "change_member"
  | "set_up_totp"
  | "remove_totp"
  | "reset_totp"
  | "use_recovery_code"
  | "make_recovery_codes"
  | "change_password"
  | "end_sessions"
  | "stop_texts"
  | "decide_reply"
  | "export_numbers"
  | "read_numbers"
  | "propose"
  | "approve_proposal"
  | "reject_proposal";
export type DetailView = string | number;
export type AuditEntryView = {
  action: ActionView;
  createdAt: string;
  /** Details by their name. */
  details: {
    [key: string]: DetailView;
  };
  id: number;
  ipAddress: string | null;
  /** The name of the member of staff; null for the server itself. */
  member: string | null;
  /** The target of the action, such as an entrant's id. */
  target: string | null;
};
export type AuditLogView = {
  entries: AuditEntryView[];
};
export type PrizeView = {
  name: string;
  value: string;
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
export type ClaimRowView = {
  /** How many calls were noted. */
  calls: number;
  createdAt: string;
  drawingId: number;
  entrantId: number;
  /** The deadline, while the winner has something to do. Null until a text was delivered or a call was noted. */
  expiresAt: string | null;
  id: number;
  landingPage: LandingPageView;
  lastNotificationAt: string | null;
  /** Whether no text reaches the winner, so that staff must call. */
  needsCall: boolean;
  /** How many texts told the winner about the claim; the first one counts, codes do not. */
  notificationsSent: number;
  /** Whether an open payment dispute pauses the claim. */
  paused: boolean;
  /** In full; screens show the last four digits. */
  phoneNumber: string;
  prize: PrizeView;
  /** 0 for the entry that was drawn first. */
  rank: number;
  status: ClaimStatusView;
};
export type ClaimsView = {
  claims: ClaimRowView[];
  /** The number of all claims that match. */
  total: number;
  /** The number of all claims that wait for staff: submitted, in need of a call, or with an objection. */
  waiting: number;
};
export type CallCodeView = {
  code: string;
  expiresAt: string;
  /** The page on which the winner enters it. */
  page: string;
};
export type ClaimDetailsView = {
  addressLine1: string;
  addressLine2: string | null;
  city: string;
  name: string;
  postalCode: string;
  /** Whether the first name and the state may be published. */
  publicity: boolean;
  state: string;
};
export type ClaimCallView = {
  at: string;
  note: string;
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
export type VerificationMethodView = "code" | "call" | "visitor_token";
export type ClaimDetailView = ClaimRowView & {
  callCode: CallCodeView | null;
  /** When it was approved or rejected last. */
  decidedAt: string | null;
  deliveredAt: string | null;
  details: ClaimDetailsView | null;
  detailsErasedAt: string | null;
  /** Whether staff called on three days. */
  mayBeUnreachable: boolean;
  /** The noted calls, oldest first. */
  noteCalls: ClaimCallView[];
  /** Whether the number still makes the drawn leaf. Without that the claim cannot be approved. */
  numberMatches: boolean;
  /** What an approval publishes, for whoever may decide: the first name and the state. Null if the winner did not agree. */
  publicName: string | null;
  rejection: ClaimRejectionView | null;
  shipment: ShipmentView | null;
  submittedAt: string | null;
  verificationMethod: VerificationMethodView | null;
  /** When the number was proved first. */
  verifiedAt: string | null;
};
export type ProposedView = {
  /** For `POST /api/admin/approvals/{id}/approve`. */
  approvalId: number;
  /** Until when it can be approved. */
  expiresAt: string;
};
export type ClaimNoteBody = {
  /** 3 to 500 characters without the spaces around it. */
  note: string;
};
export type RejectionBody = {
  /** What the winner reads about it: 3 to 500 characters without the spaces around it. */
  note: string;
  reason: RejectionReasonView;
};
export type ShipmentBody = {
  /** 2 to 40 characters without the spaces around it. */
  carrier: string;
  /** 6 to 40 letters, digits and dashes; spaces are left out. */
  trackingNumber: string;
};
export type AnalyticsCountsView = {
  funnelSteps: number;
  pageViews: number;
  socialShares: number;
};
export type ClearedAnalyticsView = {
  deleted: AnalyticsCountsView;
  success: boolean;
};
export type StartedJobView = {
  /** For `GET /api/admin/jobs/{jobId}`. */
  jobId: number;
};
export type ClearingAcceptedView = StartedJobView | ProposedView;
export type ReferralCountsView = {
  bonusEntries: number;
  referrals: number;
};
export type ClearedReferralsView = {
  deleted: ReferralCountsView;
  success: boolean;
};
export type BeaconStateView = {
  /** The hash of the beacon's chain. */
  chainHash: string;
  /** The time of the round. */
  expectedAt: string;
  round: number;
  /** Since when a sealed drawing has waited for the round. */
  waitingSince?: string | null;
};
export type DrawingKindView = "regular" | "additional";
export type DrawingStatusView = "announced" | "sealed" | "drawn" | "void";
export type DrawingView = {
  beacon?: BeaconStateView | null;
  createdAt: string;
  drawingMethod: string;
  drawnAt?: string | null;
  id: number;
  kind: DrawingKindView;
  landingPage: LandingPageView;
  /** The calendar month that it belongs to. */
  period: string;
  /** The prize, as it was announced. */
  prize: PrizeView;
  /** Why there is an additional drawing. */
  reason?: string | null;
  /** The hash of the list. */
  root?: string | null;
  /** When the list is to be frozen. */
  sealDueAt: string;
  sealedAt?: string | null;
  status: DrawingStatusView;
  totalEntries?: number | null;
  totalParticipants?: number | null;
  /** A hash of the whole drawing; the proof lists its parts. */
  verificationHash?: string | null;
  voidReason?: string | null;
  /** From when on a sealed drawing may be voided. Null unless it is sealed and waits for a beacon. */
  voidableAt?: string | null;
  /** Null also for viewers. */
  winnerId?: number | null;
  /** In full for owners and managers, or else the last four digits. */
  winnerPhoneNumber?: string | null;
  winningEntryNumber?: number | null;
};
export type DrawingSortView =
  | "createdAt"
  | "landingPage"
  | "winningEntryNumber"
  | "totalParticipants"
  | "totalEntries";
export type SortOrderView = "asc" | "desc";
export type DrawingAcceptedView = DrawingView | ProposedView;
export type PerformDrawingBody = {
  landingPage: LandingPageView;
  prize?: PrizeView | null;
  /** Why there is an additional drawing in this month. Public. */
  reason?: string | null;
};
export type RaffleStatisticsView = {
  /** Entries per participant; 0 without participants. */
  averageEntries: number;
  landingPage: LandingPageView;
  totalEntries: number;
  users: number;
};
export type DrawingStatsView = {
  /** The raffles that were ever open, in their order. */
  landingPageStats: RaffleStatisticsView[];
};
export type BeaconBody = {
  round: number;
  /** The signature of the round, as the beacon publishes it. */
  signature: string;
};
export type VoidBody = {
  reason: string;
};
export type PackageView = {
  createdAt: string;
  description: string;
  entries: number;
  entryCount: number;
  id: number;
  isActive: boolean;
  isPopular: boolean;
  name: string;
  /** In cents. */
  price: number;
  priceInCents: number;
  sortOrder: number;
};
export type PackagesView = {
  packages: PackageView[];
};
export type PackageBody = {
  description: string;
  entries?: number | null;
  entryCount?: number | null;
  /** True without it. */
  isActive?: boolean | null;
  /** False without it. */
  isPopular?: boolean | null;
  /** One line, without control characters. */
  name: string;
  /** In cents. */
  price?: number | null;
  priceInCents?: number | null;
  /** 0 without it. */
  sortOrder?: number | null;
};
export type SuccessView = {
  success: boolean;
};
export type PublicReasonView =
  "several_accounts" | "duplicate" | "automated" | "not_eligible" | "rules";
export type FlagBody = {
  publicReason?: PublicReasonView | null;
  /** For staff: 1 to 200 characters. */
  reason: string;
  userId: number;
};
export type EvidenceKindView =
  "shared_network" | "same_fingerprint" | "burst" | "one_referrer";
export type EvidenceView = {
  kind: EvidenceKindView;
  /** For `one_referrer`: the entrant whose code it is. */
  referrerId?: number | null;
  /** A number of accounts or sign-ups; for `one_referrer` the share of the network's accounts, from 0 to 1. */
  value: number;
};
export type FlaggedUserView = {
  createdAt: string;
  /** What fraud detection found; empty for a flag of staff. */
  evidence: EvidenceView[];
  flaggedAt: string;
  id: number;
  ipAddress: string | null;
  landingPage: LandingPageView;
  /** In full for owners and managers; screens show the last four digits. */
  phoneNumber: string;
  /** The reason of the flag. */
  reason: string;
  totalEntries: number;
};
export type FlaggedUsersView = {
  flaggedUsers: FlaggedUserView[];
};
export type FlaggedSortView = "flaggedAt" | "createdAt" | "totalEntries";
export type DetectionView = {
  /** How many entrants were flagged. */
  flagged: number;
};
export type AppealStatusView = "open" | "accepted" | "rejected";
export type AppealUserView = {
  id: number;
  /** Whether the entrant is flagged now. */
  isFlagged: boolean;
  landingPage: LandingPageView;
  /** In full; screens show the last four digits. */
  phoneNumber: string;
  totalEntries: number;
};
export type AppealView = {
  createdAt: string;
  /** Null while it is open. */
  decidedAt: string | null;
  /** What fraud detection found; empty for a flag of staff. */
  evidence: EvidenceView[];
  flaggedAt: string;
  id: number;
  /** What the entrant wrote. */
  message: string;
  /** What the entrant reads about the decision. */
  note: string | null;
  /** The reason of the flag. */
  reason: string;
  status: AppealStatusView;
  user: AppealUserView;
};
export type AppealsView = {
  appeals: AppealView[];
  /** The number of all open appeals. */
  open: number;
};
export type DecisionView = "accept" | "reject";
export type DecisionBody = {
  decision: DecisionView;
  /** What the entrant reads about it; required to reject. */
  note?: string | null;
};
export type SharedNetworkView = {
  createdAt: string;
  id: number;
  label: string;
  /** An IPv4 address, or a network in CIDR form. */
  network: string;
};
export type SharedNetworksView = {
  networks: SharedNetworkView[];
};
export type SharedNetworkBody = {
  /** What it is called. */
  label: string;
  /** An address, or a network that is not wider than /20, or /40 for IPv6. It is stored as the network's first address and
    its prefix; an IPv6 address stands for its /64. */
  network: string;
};
export type JobStateView = "running" | "completed" | "failed";
export type JobKindView =
  "clear_analytics" | "clear_referrals" | "clear_campaigns" | "clear_sms";
export type JobView = {
  /** How much has been deleted, by the names of the clearing's own answer. */
  deleted: {
    [key: string]: number;
  };
  /** The sum of `deleted`. */
  deletedRows: number;
  /** Why it failed: `busy` (other work held the data for too long) or `store_failed`. */
  errorCode?: string | null;
  finishedAt?: string | null;
  jobId: number;
  startedAt: string;
  state: JobStateView;
  /** How much there was to delete. `null` before it is counted. */
  totalRows?: number | null;
  what: JobKindView;
};
export type JobsView = {
  jobs: JobView[];
};
export type LoginView = {
  /** When the session expires. */
  expiresAt: string;
  /** The token to send with every call, as `Authorization: Bearer` or `X-Session-Token`. */
  sessionToken: string;
};
export type LoginBody = {
  /** Six digits of the second factor, or a recovery code. Only for accounts with a second factor. */
  code?: string | null;
  /** At most 1024 bytes. */
  password: string;
  username: string;
};
export type RenditionView = {
  /** The SHA-256 of the file. */
  hash: string;
  /** The height in pixels. */
  height: number;
  /** The width in pixels. */
  width: number;
};
export type PictureView = {
  /** Its name in the content of a raffle, which is also the hash of the first rendition. */
  hash: string;
  /** The height of the first rendition, in pixels. */
  height: number;
  /** For pages, the largest first, and then the one for link previews. */
  renditions: RenditionView[];
  /** The width of the first rendition, in pixels. */
  width: number;
};
export type OpeningCheckNameView =
  "texts" | "payments" | "sponsor" | "beacon" | "drawing" | "rules";
export type OpeningStateView = "ready" | "warning" | "missing";
export type OpeningCheckView = {
  /** When the next drawing is, if that is known. */
  at: string | null;
  /** How it is, and what to do about it. */
  message: string;
  name: OpeningCheckNameView;
  state: OpeningStateView;
};
export type OpeningView = {
  checks: OpeningCheckView[];
};
export type PurchaseStateView =
  "paid" | "partly_refunded" | "refunded" | "disputed" | "waiting" | "canceled";
export type ListedPurchaseView = {
  /** The price, in cents. */
  amount: number;
  createdAt: string;
  entries: number;
  id: number;
  /** The raffle that the buyer was in when it began. */
  landingPage: LandingPageView;
  /** The name that the package has now; null when it was deleted. */
  package: string | null;
  /** When it was paid. */
  paidAt: string | null;
  /** The payment's id at the provider, once there is one. */
  payment: string | null;
  /** The last four digits of the buyer's number; null once the person was erased. */
  phoneNumber: string | null;
  /** How much of it went back, in cents. */
  returned: number;
  state: PurchaseStateView;
  userId: number;
};
export type ListedPurchasesView = {
  /** Whether there are no more than `total`. */
  isTotalExact: boolean;
  purchases: ListedPurchaseView[];
  /** The number of all that match, at most 1,000. */
  total: number;
};
export type PaletteView =
  "clay" | "mint" | "tomato" | "lagoon" | "plum" | "honey" | "slate" | "rose";
export type SceneView =
  | "tool-bag"
  | "cocktail"
  | "kitchen-herbs"
  | "starter-kit"
  | "gift-box"
  | "set-table"
  | "summer-basket";
export type RafflePictureView = {
  /** What the upload shows, for who cannot see it. */
  alt: string;
  /** What is shown without an upload. */
  scene: SceneView;
  /** The SHA-256 of the uploaded picture. */
  upload: string | null;
};
export type RaffleStatusView = "draft" | "open" | "closed";
export type WaitingVersionView = {
  /** The number of the version. */
  number: number;
  /** From when on it counts. */
  takesEffectAt: string;
};
export type RaffleCardView = {
  landingPage: LandingPageView;
  /** What can be won, as its pages say it. */
  name: string;
  /** Its number, which is used once. */
  number: number;
  palette: PaletteView;
  picture: RafflePictureView;
  status: RaffleStatusView;
  /** The heading of its page. */
  title: string;
  /** The number of the version in force. */
  version: number | null;
  waitingVersion: WaitingVersionView | null;
};
export type RaffleView = RaffleCardView & {
  /** When the server draws this raffle next. Null when staff announce drawings. */
  drawsAt?: string | null;
  /** Whether the draft says something else than what was published last. */
  hasChanges: boolean;
  /** Whether it is the raffle of whoever names none, while it is open. */
  isDefault: boolean;
  /** Whether the regular drawing of this month is sealed or drawn. */
  isDrawn: boolean;
  /** How the ids of the links in its texts begin, before a dash. */
  linkPrefix: string;
  /** From when on. */
  nextAt: string | null;
  nextStatus: RaffleStatusView | null;
  /** Whether a drawing now is an additional one that needs a reason. */
  reasonRequired: boolean;
  /** The newest drawing that is announced or sealed, if there is one. */
  waiting: DrawingView[];
};
export type ScheduleView = "manual" | "monthly";
export type RafflesView = {
  /** The hash of the beacon's chain for new drawings, or `off`. */
  beacon: string;
  /** How many seconds after it is announced a drawing of staff is drawn. */
  delaySeconds: number;
  raffles: RaffleView[];
  schedule: ScheduleView;
};
export type KitPartView = {
  /** A line about it. */
  detail: string;
  item: string;
  /** What it is worth at retail; 0 while a draft does not say it. */
  valueInCents: number;
};
export type ShareTextsView = {
  emailBody: string;
  emailSubject: string;
  textBody: string;
};
export type TotalValueView = {
  /** Whole dollars; 0 while a draft does not say it. */
  dollars: number;
  /** Whether a plus sign follows them. */
  orMore: boolean;
};
export type ContentView = {
  /** What the prize is. It may have line breaks. */
  description: string;
  /** The parts of the prize. */
  kit: KitPartView[];
  /** The page's description in search results. */
  metaDescription: string;
  /** The page's title in browsers and search results, without the name of the site. */
  metaTitle: string;
  /** The prize's name, as shown in drawings, texts and the rules. */
  name: string;
  palette: PaletteView;
  picture: RafflePictureView;
  share: ShareTextsView;
  /** Whether the sign-up page says when the next drawing is. */
  showsNextDrawing: boolean;
  /** The heading for who has entered. */
  successTitle: string;
  /** The line below the heading. */
  tagline: string;
  /** The page's heading. */
  title: string;
  totalValue: TotalValueView;
};
export type MissingView = {
  /** Its path in the content. */
  field: string;
  message: string;
};
export type RaffleDraftView = {
  content: ContentView;
  /** The SHA-256 of the content. */
  hash: string;
  /** What it lacks before it can be published. */
  missing: MissingView[];
  /** Counts up with each change. */
  revision: number;
  savedAt: string;
  /** The name of the member of staff. */
  savedBy: string | null;
};
export type RaffleVersionView = {
  content: ContentView;
  /** The SHA-256 of the content. */
  hash: string;
  /** Whether it counts now. */
  isInForce: boolean;
  number: number;
  publishedAt: string;
  /** The name of the member of staff. */
  publishedBy: string | null;
  /** From when on it counts, unless a newer one replaced it before. */
  takesEffectAt: string;
};
export type RaffleFileView = {
  /** From when on another prize than the one in force would count if it were published now. */
  anotherPrizeTakesEffectAt: string | null;
  draft: RaffleDraftView;
  raffle: RaffleCardView;
  /** The newest first. */
  versions: RaffleVersionView[];
};
export type NewRaffleBody = {
  landingPage: string;
};
export type RaffleOrderBody = {
  /** The keys of all raffles, drafts too. */
  landingPages: string[];
};
export type RaffleOpeningView = {
  landingPage: LandingPageView;
  /** From when on. */
  nextAt: string | null;
  nextStatus: RaffleStatusView | null;
  status: RaffleStatusView;
};
export type CloseRaffleBody = {
  /** Whether it closes at once, and not when the month ends. */
  now?: boolean | null;
  /** Why it closes at once. Public. */
  reason?: string | null;
};
export type CopyRaffleBody = {
  newKey: string;
};
export type SaveDraftBody = {
  content: ContentView;
  /** The revision that was changed. */
  revision: number;
};
export type OpensAtView = "month";
export type OpenRaffleBody = {
  at?: OpensAtView | null;
};
export type PublishedView = {
  number: number;
  /** From when on it counts. */
  takesEffectAt: string;
};
export type PublishBody = {
  /** The SHA-256 of its content. */
  hash: string;
  /** The revision of the draft that was looked at. */
  revision: number;
};
export type SoldView = {
  /** The sum of their prices. */
  gross: number;
  /** What is left. */
  net: number;
  purchases: number;
  /** How much of it went back: refunds, and disputes that were lost. */
  returned: number;
};
export type MonthSalesView = {
  /** By the site's calendar. */
  month: string;
  sold: SoldView;
};
export type PackageSalesView = {
  /** The name that it has now; null when it was deleted. */
  package: string | null;
  packageId: number;
  sold: SoldView;
};
export type RaffleSalesView = {
  landingPage: LandingPageView;
  sold: SoldView;
};
export type SalesView = {
  /** The newest month first; without months in which nothing was sold. */
  byMonth: MonthSalesView[];
  /** What brought most first. */
  byPackage: PackageSalesView[];
  /** What brought most first. */
  byRaffle: RaffleSalesView[];
  total: SoldView;
};
export type PhoneVerificationView = "off" | "on" | "no_account";
export type SmsSettingsView = {
  accountSidLast4: string | null;
  configured: boolean;
  phoneNumberLast4: string | null;
  /** Whether an account was saved that cannot be opened with the keys that are configured. Then nothing is sent. */
  unreadable: boolean;
};
export type SettingsValuesView = {
  phoneVerification: PhoneVerificationView;
  showPricing: boolean;
  sms: SmsSettingsView;
};
export type SettingsView = {
  settings: SettingsValuesView;
  /** The version of the server. */
  version: string;
};
export type SettingsBody = {
  /** Whether packages are shown and sold. */
  showPricing: boolean;
};
export type ParcelView = {
  approvedAt: string | null;
  claimId: number;
  details: ClaimDetailsView;
  drawingId: number;
  landingPage: LandingPageView;
  prize: PrizeView;
};
export type ShippingListView = {
  parcels: ParcelView[];
};
export type SmsCountsView = {
  campaigns: number;
  clicks: number;
  messages: number;
  replies: number;
  templates: number;
};
export type StoredDataView = {
  /** Deleted by clearing analytics. */
  analytics: AnalyticsCountsView;
  /** Deleted by clearing referrals. */
  referrals: ReferralCountsView;
  /** Deleted by clearing messages. Clearing campaigns keeps the templates and the replies. */
  sms: SmsCountsView;
};
export type UnflagBody = {
  /** 1 to 200 characters. */
  reason: string;
  userId: number;
};
export type WaitingView = {
  /** Open appeals of flagged entrants. */
  appeals: number;
  /** Proposals that can be approved; 0 for roles that may not read them. */
  approvals: number;
  /** Claims that were submitted, have an objection or need a call. */
  claims: number;
};
export type OfferView = {
  /** The active packages, by sort order and then id. */
  packages: PackageView[];
  /** The key for the payment provider's script. Null without a provider; then nothing can be bought. */
  publishableKey: string | null;
  /** Whether packages are shown and sold. */
  showPricing: boolean;
};
export const {
  useGetDashboardQuery,
  useGetFunnelQuery,
  useGetTrendsQuery,
  useListAuditLogQuery,
  useListClaimsQuery,
  useGetClaimDetailsQuery,
  useApproveClaimMutation,
  useNoteClaimCallMutation,
  useConfirmClaimNumberMutation,
  useMarkPrizeDeliveredMutation,
  useRejectClaimMutation,
  useResendClaimMutation,
  useMarkPrizeShippedMutation,
  useMarkClaimUnreachableMutation,
  useClearAnalyticsMutation,
  useClearReferralsMutation,
  useListDrawingHistoryQuery,
  usePerformDrawingMutation,
  useGetDrawingStatsQuery,
  useGetDrawingQuery,
  useBringBeaconMutation,
  useVoidDrawingMutation,
  useListPackagesQuery,
  useCreatePackageMutation,
  useUpdatePackageMutation,
  useDeletePackageMutation,
  useFlagUserMutation,
  useListFlaggedUsersQuery,
  useRunFraudDetectionMutation,
  useListAppealsQuery,
  useDecideAppealMutation,
  useListSharedNetworksQuery,
  useAddSharedNetworkMutation,
  useRemoveSharedNetworkMutation,
  useListJobsQuery,
  useGetJobQuery,
  useAdminLoginMutation,
  useAdminLogoutMutation,
  useUploadPictureMutation,
  useWithdrawPictureMutation,
  useGetOpeningQuery,
  useListPurchasesQuery,
  useListRafflesQuery,
  useCreateRaffleMutation,
  useOrderRafflesMutation,
  useGetRaffleQuery,
  useDeleteRaffleMutation,
  useCloseRaffleMutation,
  useCopyRaffleMutation,
  useSaveRaffleDraftMutation,
  useOpenRaffleMutation,
  usePublishRaffleMutation,
  useGetSalesQuery,
  useGetSettingsQuery,
  useUpdateSettingsMutation,
  useGetShippingListQuery,
  useGetStoredDataQuery,
  useUnflagUserMutation,
  useCountWaitingQuery,
  useListEntryPackagesQuery,
} = injectedRtkApi;
