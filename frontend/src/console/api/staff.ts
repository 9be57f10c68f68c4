/** Calls about staff, their accounts and what they propose, as screens use them: what a change makes stale. */
import type { DefinitionsFromApi, OverrideResultType } from '@reduxjs/toolkit/query/react';
import { DRAWING_TIMEOUT_MS, totalOf, type Counted } from './admin';
import { api as generated, type ListApprovalsApiResponse } from './generatedStaff';

export type * from './generatedStaff';

const tags = [
  'Me',
  'Sessions',
  'Staff',
  'Approvals',
  // These are read elsewhere: see admin.ts, people.ts and sms.ts.
  'Dashboard',
  'Trends',
  'Funnel',
  'FlaggedUsers',
  'Appeals',
  'Claims',
  'Claim',
  'StoredData',
  'AuditLog',
  'Jobs',
  'DrawingStats',
  'DrawingHistory',
  'Raffles',
  'Packages',
  'PublicPackages',
  'Settings',
  'People',
  'Person',
  'DataRequests',
  'SmsTemplates',
  'Campaigns',
  'Replies',
  'SmsAnalytics',
  'SmsStatus',
] as const;
type Tag = (typeof tags)[number];

const tagged = generated.enhanceEndpoints<Tag>({ addTagTypes: tags });

type Definitions = DefinitionsFromApi<typeof tagged>;
type CountedDefinitions = Omit<Definitions, 'listApprovals'> & {
  listApprovals: OverrideResultType<
    Definitions['listApprovals'],
    Counted<ListApprovalsApiResponse>
  >;
};

// After failures too: the change may be made though its answer was lost, or somebody else may have made it.
const afterStaff: Tag[] = ['Staff', 'Approvals', 'AuditLog'];
const afterTotp: Tag[] = ['Me', 'Staff', 'AuditLog'];

export const staff = tagged.enhanceEndpoints<Tag, CountedDefinitions>({
  endpoints: {
    getInvitation: { keepUnusedDataFor: 0 },
    // Whoever has just set it up still has to save the codes: `SetUp` asks again afterwards.
    confirmTotp: { invalidatesTags: ['AuditLog'] },
    removeTotp: { invalidatesTags: afterTotp },
    makeRecoveryCodes: { invalidatesTags: afterTotp },
    listSessions: { providesTags: ['Sessions'] },
    endSession: { invalidatesTags: ['Sessions', 'AuditLog'] },
    listStaff: { providesTags: ['Staff'] },
    inviteMember: { invalidatesTags: afterStaff },
    changeMember: { invalidatesTags: afterStaff },
    reinviteMember: { invalidatesTags: afterStaff },
    listApprovals: {
      providesTags: ['Approvals'],
      transformResponse: (list: ListApprovalsApiResponse, response) => ({
        ...list,
        totalCount: totalOf(response, list.approvals),
      }),
    },
    // What was approved is carried out: it may be any of the calls that two people make, a drawing too.
    approveProposal: (approval) => {
      const query = approval.query?.bind(approval);
      if (query) approval.query = (arg) => ({ ...query(arg), timeoutMs: DRAWING_TIMEOUT_MS });
      // After a failure too: the call may have been made though its answer was lost, or have failed for good.
      approval.invalidatesTags = [...tags];
    },
    showApprovalSecret: { invalidatesTags: ['Approvals', 'AuditLog'] },
    rejectProposal: { invalidatesTags: ['Approvals', 'AuditLog'] },
  },
});

/** Once a second factor is set up, all that was refused before can be asked. */
export const afterSetUp = () => staff.util.invalidateTags([...tags]);

export const {
  useGetInvitationQuery,
  useAcceptInvitationMutation,
  useSetUpTotpMutation,
  useRemoveTotpMutation,
  useConfirmTotpMutation,
  useMakeRecoveryCodesMutation,
  useListSessionsQuery,
  useEndSessionsMutation,
  useEndSessionMutation,
  useChangePasswordMutation,
  useListStaffQuery,
  useInviteMemberMutation,
  useChangeMemberMutation,
  useReinviteMemberMutation,
  useListApprovalsQuery,
  useApproveProposalMutation,
  useRejectProposalMutation,
  useShowApprovalSecretMutation,
} = staff;
