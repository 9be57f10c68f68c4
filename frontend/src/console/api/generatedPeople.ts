import { adminApi as api } from "./adminApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listPeople: build.query<ListPeopleApiResponse, ListPeopleApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/people`,
        params: {
          query: queryArg.query,
          flagged: queryArg.flagged,
          landingPage: queryArg.landingPage,
          tag: queryArg.tag,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    importPeople: build.mutation<ImportPeopleApiResponse, ImportPeopleApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/people/import`,
        method: "POST",
        body: queryArg.body,
        params: {
          dryRun: queryArg.dryRun,
        },
      }),
    }),
    listPersonTags: build.query<
      ListPersonTagsApiResponse,
      ListPersonTagsApiArg
    >({
      query: () => ({ url: `/api/admin/people/tags` }),
    }),
    getPerson: build.query<GetPersonApiResponse, GetPersonApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/people/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    editPerson: build.mutation<EditPersonApiResponse, EditPersonApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/people/${encodeURIComponent(String(queryArg.id))}`,
        method: "PATCH",
        body: queryArg.personBody,
      }),
    }),
    listPersonDataRequests: build.query<
      ListPersonDataRequestsApiResponse,
      ListPersonDataRequestsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/people/${encodeURIComponent(String(queryArg.id))}/data-requests`,
      }),
    }),
    createPersonDataRequest: build.mutation<
      CreatePersonDataRequestApiResponse,
      CreatePersonDataRequestApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/people/${encodeURIComponent(String(queryArg.id))}/data-requests`,
        method: "POST",
        body: queryArg.dataRequestBody,
      }),
    }),
    confirmPersonDataRequest: build.mutation<
      ConfirmPersonDataRequestApiResponse,
      ConfirmPersonDataRequestApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/people/${encodeURIComponent(String(queryArg.id))}/data-requests/${encodeURIComponent(String(queryArg.requestId))}/confirm`,
        method: "POST",
        body: queryArg.dataCodeBody,
      }),
    }),
    markDuplicate: build.mutation<
      MarkDuplicateApiResponse,
      MarkDuplicateApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/people/${encodeURIComponent(String(queryArg.id))}/duplicate-of`,
        method: "POST",
        body: queryArg.duplicateBody,
      }),
    }),
    unmarkDuplicate: build.mutation<
      UnmarkDuplicateApiResponse,
      UnmarkDuplicateApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/people/${encodeURIComponent(String(queryArg.id))}/duplicate-of`,
        method: "DELETE",
      }),
    }),
    optPersonOut: build.mutation<OptPersonOutApiResponse, OptPersonOutApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/people/${encodeURIComponent(String(queryArg.id))}/opt-out`,
        method: "POST",
        body: queryArg.optOutBody,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type ListPeopleApiResponse = /** status 200 undefined */ PeopleView;
export type ListPeopleApiArg = {
  /** A phone number in any spelling, its last four digits, a referral code, or an id. Digits that could be
    several of these match all of them. Without it, everybody. */
  query?: string;
  /** Only those who are flagged, or only those who are not. */
  flagged?: boolean;
  /** Only those of this raffle; without it, or with `all`, of all raffles. */
  landingPage?: LandingPageView;
  /** Only those with this tag. */
  tag?: string;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type ImportPeopleApiResponse =
  | /** status 200 undefined */ ImportView
  | /** status 202 Somebody else must approve it, and then the same file is sent again */ ProposedView;
export type ImportPeopleApiArg = {
  /** Only says what an import would do. */
  dryRun?: boolean;
  body: string;
};
export type ListPersonTagsApiResponse =
  /** status 200 undefined */ PersonTagsView;
export type ListPersonTagsApiArg = void;
export type GetPersonApiResponse = /** status 200 undefined */ PersonView;
export type GetPersonApiArg = {
  id: number;
};
export type EditPersonApiResponse = /** status 200 undefined */ PersonNotesView;
export type EditPersonApiArg = {
  id: number;
  personBody: PersonBody;
};
export type ListPersonDataRequestsApiResponse =
  /** status 200 undefined */ DataRequestsView;
export type ListPersonDataRequestsApiArg = {
  id: number;
};
export type CreatePersonDataRequestApiResponse =
  | /** status 201 undefined */ DataRequestView
  | /** status 202 Somebody else must approve that a person who was drawn is deleted */ ProposedView;
export type CreatePersonDataRequestApiArg = {
  id: number;
  dataRequestBody: DataRequestBody;
};
export type ConfirmPersonDataRequestApiResponse =
  | /** status 200 undefined */ DataRequestView
  | /** status 202 Somebody else must approve that a person who was drawn is deleted */ ProposedView;
export type ConfirmPersonDataRequestApiArg = {
  /** The entrant. */
  id: number;
  /** The request. */
  requestId: number;
  dataCodeBody: DataCodeBody;
};
export type MarkDuplicateApiResponse = /** status 200 undefined */ PersonView;
export type MarkDuplicateApiArg = {
  id: number;
  duplicateBody: DuplicateBody;
};
export type UnmarkDuplicateApiResponse = /** status 200 undefined */ PersonView;
export type UnmarkDuplicateApiArg = {
  id: number;
};
export type OptPersonOutApiResponse = /** status 200 undefined */ SuccessView;
export type OptPersonOutApiArg = {
  id: number;
  optOutBody: OptOutBody;
};
export type LandingPageView = string;
export type PersonRowView = {
  createdAt: string;
  id: number;
  isDuplicate: boolean;
  isFlagged: boolean;
  landingPage: LandingPageView;
  /** In full; null once it was erased. */
  phoneNumber: string | null;
  referralCode: string;
  tags: string[];
  totalEntries: number;
};
export type PeopleView = {
  /** Whether there are no more than `total`. */
  isTotalExact: boolean;
  people: PersonRowView[];
  /** The number of all who match, at most 1,000. */
  total: number;
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
export type ImportView = {
  /** The id of the import, which its people have; null for a dry run, and when nobody is new. */
  importBatchId: string | null;
  /** The number of people who are new. */
  imported: number;
  /** The number of lines whose number has entered before. They are left as they are. */
  known: number;
};
export type ProposedView = {
  /** For `POST /api/admin/approvals/{id}/approve`. */
  approvalId: number;
  /** Until when it can be approved. */
  expiresAt: string;
};
export type BadLineView = {
  error: string;
  /** Its number in the file, as a spreadsheet shows it. */
  line: number;
};
export type BadLinesView = {
  code: string;
  error: string;
  lines: BadLineView[];
};
export type PersonTagsView = {
  tags: string[];
};
export type AppealStatusView = "open" | "accepted" | "rejected";
export type PersonAppealView = {
  createdAt: string;
  decidedAt: string | null;
  id: number;
  message: string;
  note: string | null;
  status: AppealStatusView;
};
export type PersonClaimView = {
  createdAt: string;
  drawingId: number;
  id: number;
  /** From 0. */
  rank: number;
  status: string;
};
export type DuplicateView = {
  id: number;
  mergedAt: string;
  /** In full; null once it was erased. */
  phoneNumber: string | null;
  /** Why staff marked it. */
  reason: string;
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
export type PersonFlagView = {
  /** What fraud detection found; empty for a flag of staff. */
  evidence: EvidenceView[];
  flaggedAt: string;
  reason: string;
  /** Null while it stands. */
  unflaggedAt: string | null;
};
export type LedgerLineView = {
  causeId: number;
  createdAt: string;
  delta: number;
  id: number;
  kind: string;
};
export type LedgerLinesView = {
  rows: LedgerLineView[];
  total: number;
};
export type PersonMoveView = {
  from: LandingPageView;
  movedAt: string;
  to: LandingPageView;
};
export type DataSourceView = "site" | "import";
export type PersonProfileView = {
  baseEntries: number;
  bonusEntries: number;
  consentBasis: string | null;
  createdAt: string;
  dataSource: DataSourceView;
  /** When they were erased. */
  erasedAt: string | null;
  /** Whether they texted STOP. */
  hasOptedOut: boolean;
  /** Those of the paid entries that a dispute holds out of drawings. */
  heldEntries: number;
  id: number;
  importBatchId: string | null;
  ipAddress: string | null;
  isFlagged: boolean;
  landingPage: LandingPageView;
  paidEntries: number;
  /** In full; null once it was erased. */
  phoneNumber: string | null;
  referralCode: string;
  /** Whether they consented to texts of campaigns. */
  smsCampaigns: boolean;
  totalEntries: number;
  userAgent: string | null;
};
export type PersonPurchaseView = {
  /** Cents. */
  amount: number;
  completedAt: string | null;
  createdAt: string;
  entriesAdded: number;
  /** What came back to us, because a refund failed, in cents; its entries count again. */
  failedRefunds: number;
  id: number;
  refundedAt: string | null;
  status: string;
};
export type PersonPurchasesView = {
  rows: PersonPurchaseView[];
  total: number;
};
export type PersonReferralView = {
  createdAt: string;
  id: number;
  /** Whether the entry for the friend is taken back. */
  isReversed: boolean;
  /** In full; null once it was erased. */
  phoneNumber: string | null;
};
export type PersonReferralsView = {
  rows: PersonReferralView[];
  total: number;
};
export type PersonRefView = {
  id: number;
  /** In full; null once it was erased. */
  phoneNumber: string | null;
};
export type PersonReplyView = {
  body: string;
  createdAt: string;
  id: number;
  keyword: string | null;
};
export type PersonRepliesView = {
  rows: PersonReplyView[];
  total: number;
};
export type PersonTextView = {
  /** Null for a secret text, and for one that is not composed yet. */
  body: string | null;
  campaignName: string | null;
  createdAt: string;
  id: number;
  kind: string;
  sentAt: string | null;
  status: string;
};
export type PersonTextsView = {
  rows: PersonTextView[];
  total: number;
};
export type PersonView = {
  appeals: PersonAppealView[];
  claims: PersonClaimView[];
  duplicateOf: DuplicateView | null;
  /** The duplicates of this entry. */
  duplicates: DuplicateView[];
  /** The flag that they have now, and those that ended with an accepted appeal. */
  flags: PersonFlagView[];
  ledger: LedgerLinesView;
  /** From one raffle to another, the oldest first. */
  moves: PersonMoveView[];
  notes: string;
  profile: PersonProfileView;
  purchases: PersonPurchasesView;
  referrals: PersonReferralsView;
  referredBy: PersonRefView | null;
  replies: PersonRepliesView;
  tags: string[];
  texts: PersonTextsView;
};
export type PersonNotesView = {
  notes: string;
  tags: string[];
};
export type PersonBody = {
  notes?: string | null;
  /** At most 20 tags of 1 to 40 characters, such as `press`. They are stored in lower case, each one once. */
  tags?: string[] | null;
};
export type DataRequestTypeView = "export" | "erasure";
export type DataRequestStatusView =
  "pending" | "completed" | "failed" | "expired";
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
export type DataRequestsView = {
  /** Newest first. */
  requests: DataRequestView[];
};
export type DataRequestBody = {
  /** A copy of everything, or the deletion of everything that says who the person is. */
  requestType: DataRequestTypeView;
};
export type DataCodeBody = {
  /** The six digits, as people type them. */
  code: string;
};
export type DuplicateBody = {
  /** Why, for staff: 3 to 500 characters without the spaces around it. */
  reason: string;
  /** The entry that stays. */
  userId: number;
};
export type SuccessView = {
  success: boolean;
};
export type OptOutBody = {
  /** 3 to 500 characters without the spaces around it. */
  reason: string;
};
export const {
  useListPeopleQuery,
  useImportPeopleMutation,
  useListPersonTagsQuery,
  useGetPersonQuery,
  useEditPersonMutation,
  useListPersonDataRequestsQuery,
  useCreatePersonDataRequestMutation,
  useConfirmPersonDataRequestMutation,
  useMarkDuplicateMutation,
  useUnmarkDuplicateMutation,
  useOptPersonOutMutation,
} = injectedRtkApi;
