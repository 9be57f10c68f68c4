import { adminApi as api } from "./adminApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listApprovals: build.query<ListApprovalsApiResponse, ListApprovalsApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/approvals`,
        params: {
          status: queryArg.status,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    approveProposal: build.mutation<
      ApproveProposalApiResponse,
      ApproveProposalApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/approvals/${encodeURIComponent(String(queryArg.id))}/approve`,
        method: "POST",
      }),
    }),
    rejectProposal: build.mutation<
      RejectProposalApiResponse,
      RejectProposalApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/approvals/${encodeURIComponent(String(queryArg.id))}/reject`,
        method: "POST",
      }),
    }),
    showApprovalSecret: build.mutation<
      ShowApprovalSecretApiResponse,
      ShowApprovalSecretApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/approvals/${encodeURIComponent(String(queryArg.id))}/secret`,
        method: "POST",
      }),
    }),
    changePassword: build.mutation<
      ChangePasswordApiResponse,
      ChangePasswordApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/me/password`,
        method: "POST",
        body: queryArg.passwordBody,
      }),
    }),
    listSessions: build.query<ListSessionsApiResponse, ListSessionsApiArg>({
      query: () => ({ url: `/api/admin/me/sessions` }),
    }),
    endSessions: build.mutation<EndSessionsApiResponse, EndSessionsApiArg>({
      query: () => ({ url: `/api/admin/me/sessions`, method: "DELETE" }),
    }),
    endSession: build.mutation<EndSessionApiResponse, EndSessionApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/me/sessions/${encodeURIComponent(String(queryArg.id))}`,
        method: "DELETE",
      }),
    }),
    setUpTotp: build.mutation<SetUpTotpApiResponse, SetUpTotpApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/me/totp`,
        method: "POST",
        body: queryArg.totpSetUpBody,
      }),
    }),
    removeTotp: build.mutation<RemoveTotpApiResponse, RemoveTotpApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/me/totp`,
        method: "DELETE",
        body: queryArg.totpCodeBody,
      }),
    }),
    confirmTotp: build.mutation<ConfirmTotpApiResponse, ConfirmTotpApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/me/totp/confirm`,
        method: "POST",
        body: queryArg.totpCodeBody,
      }),
    }),
    makeRecoveryCodes: build.mutation<
      MakeRecoveryCodesApiResponse,
      MakeRecoveryCodesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/me/totp/recovery-codes`,
        method: "POST",
        body: queryArg.totpCodeBody,
      }),
    }),
    listStaff: build.query<ListStaffApiResponse, ListStaffApiArg>({
      query: () => ({ url: `/api/admin/staff` }),
    }),
    inviteMember: build.mutation<InviteMemberApiResponse, InviteMemberApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/staff`,
        method: "POST",
        body: queryArg.inviteBody,
      }),
    }),
    changeMember: build.mutation<ChangeMemberApiResponse, ChangeMemberApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/staff/${encodeURIComponent(String(queryArg.id))}`,
        method: "PATCH",
        body: queryArg.memberBody,
      }),
    }),
    reinviteMember: build.mutation<
      ReinviteMemberApiResponse,
      ReinviteMemberApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/staff/${encodeURIComponent(String(queryArg.id))}/invitation`,
        method: "POST",
      }),
    }),
    getInvitation: build.query<GetInvitationApiResponse, GetInvitationApiArg>({
      query: (queryArg) => ({
        url: `/api/staff/invitations/${encodeURIComponent(String(queryArg.token))}`,
      }),
    }),
    acceptInvitation: build.mutation<
      AcceptInvitationApiResponse,
      AcceptInvitationApiArg
    >({
      query: (queryArg) => ({
        url: `/api/staff/invitations/${encodeURIComponent(String(queryArg.token))}`,
        method: "POST",
        body: queryArg.invitationBody,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type ListApprovalsApiResponse =
  /** status 200 undefined */ ApprovalsView;
export type ListApprovalsApiArg = {
  /** Only proposals with this status. */
  status?: ApprovalStatusView;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type ApproveProposalApiResponse =
  /** status 200 The call was made; `result` is what it would have answered, but for what is shown once */ ApprovalResultView;
export type ApproveProposalApiArg = {
  id: number;
};
export type RejectProposalApiResponse =
  /** status 200 undefined */ RejectedApprovalView;
export type RejectProposalApiArg = {
  id: number;
};
export type ShowApprovalSecretApiResponse =
  /** status 200 undefined */ ApprovalSecretView;
export type ShowApprovalSecretApiArg = {
  id: number;
};
export type ChangePasswordApiResponse = /** status 200 undefined */ SuccessView;
export type ChangePasswordApiArg = {
  passwordBody: PasswordBody;
};
export type ListSessionsApiResponse =
  /** status 200 undefined */ StaffSessionsView;
export type ListSessionsApiArg = void;
export type EndSessionsApiResponse = /** status 200 undefined */ SuccessView;
export type EndSessionsApiArg = void;
export type EndSessionApiResponse = /** status 200 undefined */ SuccessView;
export type EndSessionApiArg = {
  id: number;
};
export type SetUpTotpApiResponse = /** status 200 undefined */ TotpSecretView;
export type SetUpTotpApiArg = {
  totpSetUpBody: TotpSetUpBody;
};
export type RemoveTotpApiResponse = /** status 200 undefined */ SuccessView;
export type RemoveTotpApiArg = {
  totpCodeBody: TotpCodeBody;
};
export type ConfirmTotpApiResponse =
  /** status 200 undefined */ RecoveryCodesView;
export type ConfirmTotpApiArg = {
  totpCodeBody: TotpCodeBody;
};
export type MakeRecoveryCodesApiResponse =
  /** status 200 undefined */ RecoveryCodesView;
export type MakeRecoveryCodesApiArg = {
  totpCodeBody: TotpCodeBody;
};
export type ListStaffApiResponse = /** status 200 undefined */ StaffView;
export type ListStaffApiArg = void;
export type InviteMemberApiResponse =
  | /** status 201 undefined */ InvitationLinkView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type InviteMemberApiArg = {
  inviteBody: InviteBody;
};
export type ChangeMemberApiResponse =
  | /** status 200 undefined */ StaffMemberView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type ChangeMemberApiArg = {
  id: number;
  memberBody: MemberBody;
};
export type ReinviteMemberApiResponse =
  | /** status 201 undefined */ InvitationLinkView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type ReinviteMemberApiArg = {
  id: number;
};
export type GetInvitationApiResponse =
  /** status 200 undefined */ InvitationView;
export type GetInvitationApiArg = {
  token: string;
};
export type AcceptInvitationApiResponse =
  /** status 200 undefined */ AcceptedView;
export type AcceptInvitationApiArg = {
  token: string;
  invitationBody: InvitationBody;
};
export type ArgumentView = {
  name: string;
  value: string;
};
export type ApprovalKindView =
  | "invite_member"
  | "change_member"
  | "reinvite_member"
  | "clear_analytics"
  | "clear_referrals"
  | "clear_campaigns"
  | "clear_sms"
  | "save_credentials"
  | "show_packages"
  | "approve_claim"
  | "reject_claim"
  | "confirm_number"
  | "erase_winner"
  | "perform_drawing"
  | "void_drawing"
  | "publish_raffle"
  | "open_raffle"
  | "close_raffle"
  | "import_people";
export type ApprovalStatusView =
  "open" | "approved" | "rejected" | "expired" | "failed";
export type ApprovalView = {
  /** What exactly is proposed, without secrets. */
  arguments: ArgumentView[];
  /** Until when whoever asks may send the file of their approved import again; null otherwise. */
  awaitsFileUntil: string | null;
  decidedAt: string | null;
  /** The name of whoever approved or rejected it. Null also if the operator approved it on the server. */
  decidedBy: string | null;
  /** Why the approved call could not be made. */
  error: string | null;
  expiresAt: string;
  /** Whether it has a link or a code that whoever asks can be shown once. */
  hasSecret: boolean;
  id: number;
  kind: ApprovalKindView;
  /** Whether whoever asks may approve it now. */
  mayApprove: boolean;
  /** Whether whoever asks may reject it now, or withdraw it. */
  mayReject: boolean;
  /** Whether whoever asks proposed it. */
  own: boolean;
  proposedAt: string;
  /** The name of whoever proposed it. */
  proposedBy: string;
  status: ApprovalStatusView;
  /** What exactly will happen. */
  summary: string;
};
export type ApprovalsView = {
  approvals: ApprovalView[];
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
export type ApprovalResultView = {
  approval: ApprovalView;
  /** The body of the call's own answer. What is shown once is shown to whoever proposed it. */
  result: object | null;
};
export type RejectedApprovalView = {
  approval: ApprovalView;
};
export type CallCodeView = {
  code: string;
  expiresAt: string;
  /** The page on which the winner enters it. */
  page: string;
};
export type InvitationLinkView = {
  expiresAt: string;
  id: number;
  /** Works once. */
  invitationUrl: string;
};
export type ApprovalSecretView = {
  approval: ApprovalView;
  callCode: CallCodeView | null;
  invitation: InvitationLinkView | null;
};
export type SuccessView = {
  success: boolean;
};
export type PasswordBody = {
  /** The current password. */
  current: string;
  /** The new one: 15 characters or more, not a common one. */
  next: string;
};
export type StaffSessionView = {
  address: string | null;
  createdAt: string;
  /** Whether it is the session of this call. */
  current: boolean;
  /** The browser, as it names itself. */
  device: string | null;
  expiresAt: string;
  id: number;
  /** To the minute. */
  lastUsedAt: string;
};
export type StaffSessionsView = {
  sessions: StaffSessionView[];
};
export type TotpSecretView = {
  otpauthUrl: string;
  /** The address as a QR code: an SVG image. */
  qrSvg: string;
  /** To be typed, in base32. */
  secret: string;
};
export type TotpSetUpBody = {
  password: string;
};
export type TotpCodeBody = {
  /** Six digits, as people type them. */
  code: string;
};
export type RecoveryCodesView = {
  recoveryCodes: string[];
};
export type StaffRoleView = "owner" | "manager" | "support" | "viewer";
export type StaffStateView = "invited" | "active" | "disabled";
export type StaffMemberView = {
  createdAt: string;
  /** Whether the name and the password are set on the server. */
  environment: boolean;
  id: number;
  /** When the link of an open invitation stops working, or stopped. */
  invitationExpiresAt: string | null;
  lastSignInAt: string | null;
  name: string;
  role: StaffRoleView;
  state: StaffStateView;
  /** Whether the member has a second factor. */
  totp: boolean;
};
export type StaffView = {
  staff: StaffMemberView[];
};
export type ProposedView = {
  /** For `POST /api/admin/approvals/{id}/approve`. */
  approvalId: number;
  /** Until when it can be approved. */
  expiresAt: string;
};
export type InviteBody = {
  /** The name to sign in with. */
  name: string;
  /** `owner`, `manager`, `support` or `viewer`. */
  role: string;
};
export type MemberBody = {
  /** Whether the member can sign in no more. */
  disabled?: boolean | null;
  /** The new role. */
  role?: string | null;
};
export type InvitationView = {
  expiresAt: string | null;
  name: string;
  role: StaffRoleView;
};
export type AcceptedView = {
  name: string;
};
export type InvitationBody = {
  /** 15 characters or more, not a common one. */
  password: string;
};
export const {
  useListApprovalsQuery,
  useApproveProposalMutation,
  useRejectProposalMutation,
  useShowApprovalSecretMutation,
  useChangePasswordMutation,
  useListSessionsQuery,
  useEndSessionsMutation,
  useEndSessionMutation,
  useSetUpTotpMutation,
  useRemoveTotpMutation,
  useConfirmTotpMutation,
  useMakeRecoveryCodesMutation,
  useListStaffQuery,
  useInviteMemberMutation,
  useChangeMemberMutation,
  useReinviteMemberMutation,
  useGetInvitationQuery,
  useAcceptInvitationMutation,
} = injectedRtkApi;
