/** Staff's calls as screens use them: what a change makes stale, and how many rows a list has in all. */
import type { DefinitionsFromApi, OverrideResultType } from '@reduxjs/toolkit/query/react';
import { nameRaffles } from '../lib/raffles';
import { isProposed, type Proposed } from '../lib/proposal';
import {
  api as generated,
  type ClaimDetailView,
  type ListAppealsApiResponse,
  type ListAuditLogApiResponse,
  type ListDrawingHistoryApiResponse,
  type ListFlaggedUsersApiResponse,
  type ListPackagesApiResponse,
  type ListRafflesApiResponse,
  type ListSharedNetworksApiResponse,
} from './generatedAdmin';

export type * from './generatedAdmin';

/** A page of a list. The length of the whole list travels beside it, as a header. */
export type Counted<List> = List & { totalCount: number };

const tags = [
  'Dashboard',
  'Trends',
  'Funnel',
  'FlaggedUsers',
  'Appeals',
  'Claims',
  'Claim',
  'SharedNetworks',
  'StoredData',
  'AuditLog',
  'Jobs',
  'DrawingStats',
  'DrawingHistory',
  'Raffles',
  'Raffle',
  'Packages',
  'PublicPackages',
  'Settings',
  // These are read elsewhere: see staff.ts and people.ts.
  'Approvals',
  'People',
  'Person',
] as const;
type Tag = (typeof tags)[number];

/** What a change of a raffle's words or place makes stale. */
const afterWriting: Tag[] = ['Raffles', 'Raffle', 'AuditLog'];

const tagged = generated.enhanceEndpoints<Tag>({ addTagTypes: tags });

type Definitions = DefinitionsFromApi<typeof tagged>;
type CountedDefinitions = Omit<
  Definitions,
  | 'listFlaggedUsers'
  | 'listAppeals'
  | 'listSharedNetworks'
  | 'listAuditLog'
  | 'listDrawingHistory'
  | 'listPackages'
> & {
  listFlaggedUsers: OverrideResultType<
    Definitions['listFlaggedUsers'],
    Counted<ListFlaggedUsersApiResponse>
  >;
  listAppeals: OverrideResultType<Definitions['listAppeals'], Counted<ListAppealsApiResponse>>;
  listSharedNetworks: OverrideResultType<
    Definitions['listSharedNetworks'],
    Counted<ListSharedNetworksApiResponse>
  >;
  listAuditLog: OverrideResultType<Definitions['listAuditLog'], Counted<ListAuditLogApiResponse>>;
  listPackages: OverrideResultType<Definitions['listPackages'], Counted<ListPackagesApiResponse>>;
  listDrawingHistory: OverrideResultType<
    Definitions['listDrawingHistory'],
    Counted<{ drawings: ListDrawingHistoryApiResponse }>
  >;
};

/** What a mutation makes stale: nothing when it failed. */
const staleAfter =
  (...tags: Tag[]) =>
  (_: unknown, error: unknown) =>
    error ? [] : tags;

const counted =
  <List extends object>(rowsOf: (list: List) => unknown[]) =>
  (list: List, response: Response | undefined): Counted<List> => ({
    ...list,
    totalCount: totalOf(response, rowsOf(list)),
  });

export function totalOf(response: Response | undefined, rows: unknown[]): number {
  const total = response?.headers.get('X-Total-Count');
  return total ? Number(total) : rows.length;
}

// Flagged users cannot win, and referrals give entries: both change who is in a drawing.
const flagging: Tag[] = [
  'Dashboard',
  'FlaggedUsers',
  'Appeals',
  'DrawingStats',
  'AuditLog',
  'People',
  'Person',
];
const afterFlagging = staleAfter(...flagging);
// After a failure too: another tab may have added or removed it.
const afterSharing: Tag[] = ['SharedNetworks', 'AuditLog'];
const cleared: Tag[] = ['Dashboard', 'Trends', 'Funnel', 'StoredData', 'DrawingStats', 'AuditLog'];
const afterClearing = staleAfter(...cleared, 'Jobs', 'Approvals');

// After a failure too: the change may be made though its answer was lost, or another tab may have deleted the package.
const afterSelling: Tag[] = ['Packages', 'PublicPackages', 'AuditLog'];

const afterDrawing: Tag[] = [
  'DrawingStats',
  'DrawingHistory',
  'Raffles',
  'Claims',
  'Approvals',
  'AuditLog',
];

type AskedClaim = ReturnType<typeof tagged.util.updateQueryData<'getClaimDetails'>>;
interface ClaimStep {
  dispatch: (shown: AskedClaim) => unknown;
  queryFulfilled: Promise<{ data: ClaimDetailView | Proposed }>;
}

/** Sent, but not in this answer: steps give them only where a code was given lately. */
export const areDetailsHidden = (claim: ClaimDetailView): boolean =>
  claim.details === null && claim.submittedAt !== null && claim.detailsErasedAt === null;

/** A step with a claim. */
const claimStep = {
  // Its answer is the claim of now: asking again would be one more look at the details in the audit log.
  async onQueryStarted({ id }: { id: number }, { dispatch, queryFulfilled }: ClaimStep) {
    const answer = await queryFulfilled.catch(() => undefined);
    const claim = answer?.data;
    if (!claim || isProposed(claim)) return; // not done yet: it stays as it is
    dispatch(
      tagged.util.updateQueryData('getClaimDetails', { id }, (shown) =>
        areDetailsHidden(claim) ? { ...claim, details: shown.details } : claim,
      ),
    );
  },
  // After a failure somebody else, or the winner, may have taken the step before.
  invalidatesTags: (_: unknown, error: unknown): Tag[] =>
    error ? ['Claims', 'Claim', 'AuditLog'] : ['Claims', 'Approvals', 'AuditLog'],
};

/** The server takes up to 120 s for the greatest raffles. */
export const DRAWING_TIMEOUT_MS = 130_000;

/** A sign-in waits up to 20 s until its password is checked, and up to 5 s twice for the database. */
const SIGN_IN_TIMEOUT_MS = 35_000;

export const admin = tagged.enhanceEndpoints<Tag, CountedDefinitions>({
  endpoints: {
    adminLogin: (login) => {
      const query = login.query?.bind(login);
      if (query) login.query = (arg) => ({ ...query(arg), timeoutMs: SIGN_IN_TIMEOUT_MS });
    },
    getDashboard: { providesTags: ['Dashboard'] },
    getTrends: { providesTags: ['Trends'] },
    getFunnel: { providesTags: ['Funnel'] },
    getStoredData: { providesTags: ['StoredData'] },
    listFlaggedUsers: {
      providesTags: ['FlaggedUsers'],
      transformResponse: counted((list: ListFlaggedUsersApiResponse) => list.flaggedUsers),
    },
    listAuditLog: {
      providesTags: ['AuditLog'],
      transformResponse: counted((list: ListAuditLogApiResponse) => list.entries),
    },
    listAppeals: {
      providesTags: ['Appeals'],
      transformResponse: counted((list: ListAppealsApiResponse) => list.appeals),
    },
    // After a failure too: somebody else may have decided it.
    decideAppeal: { invalidatesTags: flagging },
    listSharedNetworks: {
      providesTags: ['SharedNetworks'],
      transformResponse: counted((list: ListSharedNetworksApiResponse) => list.networks),
    },
    addSharedNetwork: { invalidatesTags: afterSharing },
    removeSharedNetwork: { invalidatesTags: afterSharing },
    runFraudDetection: { invalidatesTags: afterFlagging },
    flagUser: { invalidatesTags: afterFlagging },
    unflagUser: { invalidatesTags: afterFlagging },
    clearAnalytics: { invalidatesTags: afterClearing },
    clearReferrals: { invalidatesTags: afterClearing },
    listJobs: { providesTags: ['Jobs'] },
    getDrawingStats: { providesTags: ['DrawingStats'] },
    listDrawingHistory: {
      providesTags: ['DrawingHistory'],
      transformResponse: (drawings: ListDrawingHistoryApiResponse, response) => ({
        drawings,
        totalCount: totalOf(response, drawings),
      }),
    },
    performDrawing: (drawing) => {
      const query = drawing.query?.bind(drawing);
      if (query) drawing.query = (arg) => ({ ...query(arg), timeoutMs: DRAWING_TIMEOUT_MS });
      // After a failure too: a winner may have been drawn though the answer was lost.
      drawing.invalidatesTags = afterDrawing;
    },
    listRaffles: {
      providesTags: ['Raffles'],
      transformResponse: (list: ListRafflesApiResponse) => {
        nameRaffles(list.raffles);
        return list;
      },
    },
    // After a failure too: somebody else may have opened or closed it.
    openRaffle: { invalidatesTags: [...afterDrawing, 'Raffle'] },
    closeRaffle: { invalidatesTags: [...afterDrawing, 'Raffle'] },
    getRaffle: { providesTags: ['Raffle'] },
    createRaffle: { invalidatesTags: afterWriting },
    copyRaffle: { invalidatesTags: afterWriting },
    // The form has what the answer says, and may have been changed meanwhile.
    saveRaffleDraft: { invalidatesTags: ['Raffles', 'AuditLog'] },
    publishRaffle: { invalidatesTags: [...afterWriting, 'Approvals'] },
    orderRaffles: (order) => {
      const query = order.query?.bind(order);
      if (query) order.query = (arg) => ({ ...query(arg), answers: 'text' }); // there is none
      order.invalidatesTags = afterWriting;
    },
    deleteRaffle: (removal) => {
      const query = removal.query?.bind(removal);
      if (query) removal.query = (arg) => ({ ...query(arg), answers: 'text' });
      removal.invalidatesTags = ['Raffles', 'AuditLog'];
    },
    listClaims: { providesTags: ['Claims'] },
    getClaimDetails: { providesTags: ['Claim'], keepUnusedDataFor: 0 },
    getShippingList: { keepUnusedDataFor: 0 },
    approveClaim: claimStep,
    rejectClaim: claimStep,
    markPrizeShipped: claimStep,
    markPrizeDelivered: claimStep,
    resendClaim: claimStep,
    noteClaimCall: claimStep,
    confirmClaimNumber: claimStep,
    markClaimUnreachable: claimStep,
    bringBeacon: { invalidatesTags: afterDrawing },
    voidDrawing: { invalidatesTags: afterDrawing },
    listPackages: {
      providesTags: ['Packages'],
      transformResponse: counted((list: ListPackagesApiResponse) => list.packages),
    },
    listEntryPackages: { providesTags: ['PublicPackages'] },
    createPackage: { invalidatesTags: afterSelling },
    updatePackage: { invalidatesTags: afterSelling },
    deletePackage: { invalidatesTags: afterSelling },
    getSettings: { providesTags: ['Settings'] },
    // What makes their lists stale makes the counts stale.
    countWaiting: { providesTags: ['Appeals', 'Claims', 'Approvals'] },
    getOpening: { providesTags: ['Settings', 'Raffles'] },
    updateSettings: {
      // Shown at once, and taken back when it failed.
      async onQueryStarted({ settingsBody }, { dispatch, queryFulfilled }) {
        const shown = tagged.util.updateQueryData('getSettings', undefined, (draft) => {
          Object.assign(draft.settings, settingsBody);
        });
        const { undo } = dispatch(shown);
        const answer = await queryFulfilled.catch(undo);
        if (isProposed(answer?.data)) undo();
      },
      invalidatesTags: ['Settings', 'PublicPackages', 'Approvals', 'AuditLog'],
    },
  },
});

/** What a winner makes stale: somebody was asked to claim. */
export const afterWinner = () => admin.util.invalidateTags(afterDrawing);

/** What a clearing in the background makes stale at its end; texts and campaigns too. */
export const afterClearingAny = () =>
  admin.util.invalidateTags([
    ...cleared,
    ...(['SmsTemplates', 'Campaigns', 'SmsAnalytics', 'SmsStatus'] as unknown as Tag[]),
  ]);

export const {
  useGetRaffleQuery,
  useCreateRaffleMutation,
  useCopyRaffleMutation,
  useSaveRaffleDraftMutation,
  usePublishRaffleMutation,
  useOrderRafflesMutation,
  useDeleteRaffleMutation,
  useLazyGetJobQuery,
  useAddSharedNetworkMutation,
  useDecideAppealMutation,
  useListClaimsQuery,
  useGetClaimDetailsQuery,
  useGetShippingListQuery,
  useApproveClaimMutation,
  useRejectClaimMutation,
  useMarkPrizeDeliveredMutation,
  useMarkPrizeShippedMutation,
  useResendClaimMutation,
  useNoteClaimCallMutation,
  useConfirmClaimNumberMutation,
  useMarkClaimUnreachableMutation,
  useListAppealsQuery,
  useListSharedNetworksQuery,
  useRemoveSharedNetworkMutation,
  useListJobsQuery,
  useGetDashboardQuery,
  useGetFunnelQuery,
  useGetTrendsQuery,
  useListAuditLogQuery,
  useClearAnalyticsMutation,
  useClearReferralsMutation,
  useFlagUserMutation,
  useGetDrawingStatsQuery,
  useListDrawingHistoryQuery,
  useListPurchasesQuery,
  useGetSalesQuery,
  useListFlaggedUsersQuery,
  useBringBeaconMutation,
  useGetDrawingQuery,
  useListRafflesQuery,
  useOpenRaffleMutation,
  useCloseRaffleMutation,
  usePerformDrawingMutation,
  useVoidDrawingMutation,
  useRunFraudDetectionMutation,
  useAdminLoginMutation,
  useAdminLogoutMutation,
  useCreatePackageMutation,
  useDeletePackageMutation,
  useCountWaitingQuery,
  useGetOpeningQuery,
  useGetSettingsQuery,
  useGetStoredDataQuery,
  useListEntryPackagesQuery,
  useListPackagesQuery,
  useUnflagUserMutation,
  useUpdatePackageMutation,
  useUpdateSettingsMutation,
} = admin;
