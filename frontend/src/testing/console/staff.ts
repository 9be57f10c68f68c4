import type { OwnAccountView, PermissionView, StaffRoleView } from '../../console/api/me';
import type {
  ApprovalView,
  InvitationLinkView,
  StaffMemberView,
  StaffSessionView,
} from '../../console/api/staff';

/** What each role may do, as crates/domain/staff/src/permission.rs says. Each role has those before it too. */
const ofRole: [StaffRoleView, PermissionView[]][] = [
  ['viewer', ['own_account', 'view_figures']],
  ['support', ['view_people', 'edit_people', 'decide_appeals', 'view_claims', 'follow_up_claims']],
  [
    'manager',
    [
      'decide_claims',
      'manage_flags',
      'mark_duplicates',
      'import_people',
      'erase_people',
      'manage_drawings',
      'manage_raffles',
      'manage_texts',
      'manage_packages',
      'view_sales',
      'manage_settings',
      'export_lists',
      'view_audit_log',
      'view_approvals',
    ],
  ],
  ['owner', ['approve', 'view_claim_details', 'save_credentials', 'clear_data', 'manage_staff']],
];

export function permissionsOf(role: StaffRoleView): PermissionView[] {
  const least = ofRole.findIndex(([name]) => name === role);
  return ofRole.slice(0, least + 1).flatMap(([, permissions]) => permissions);
}

/** Whoever is signed in: the owner of the server's settings, unless told otherwise. */
export function aMe({ role = 'owner', ...changes }: Partial<OwnAccountView> = {}): OwnAccountView {
  return {
    id: 1,
    name: 'ana',
    role,
    environment: true,
    permissions: permissionsOf(role),
    totp: { enabled: true, required: false, recoveryCodesLeft: 10 },
    twoPerson: false,
    stepUpUntil: null,
    ...changes,
  };
}

export const aMember = (changes: Partial<StaffMemberView> = {}): StaffMemberView => ({
  id: 2,
  name: 'ben',
  role: 'manager',
  state: 'active',
  environment: false,
  totp: true,
  createdAt: '2026-11-01T12:00:00Z',
  lastSignInAt: '2026-11-20T15:00:00Z',
  invitationExpiresAt: null,
  ...changes,
});

export const anInvitation = (changes: Partial<InvitationLinkView> = {}): InvitationLinkView => ({
  id: 3,
  invitationUrl: 'https://tombola.example/admin#invitation=the-secret',
  expiresAt: '2026-11-24T15:00:00Z',
  ...changes,
});

export const aSession = (changes: Partial<StaffSessionView> = {}): StaffSessionView => ({
  id: 7,
  device:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  address: '192.0.2.7',
  createdAt: '2026-11-21T12:00:00Z',
  lastUsedAt: '2026-11-21T14:00:00Z',
  expiresAt: '2026-11-22T00:00:00Z',
  current: false,
  ...changes,
});

export const anApproval = (changes: Partial<ApprovalView> = {}): ApprovalView => ({
  id: 11,
  kind: 'clear_analytics',
  summary: 'Delete all page views, social shares and funnel steps.',
  arguments: [],
  status: 'open',
  proposedBy: 'ben',
  proposedAt: '2026-11-21T12:00:00Z',
  expiresAt: '2026-11-22T12:00:00Z',
  decidedBy: null,
  decidedAt: null,
  error: null,
  own: false,
  mayApprove: true,
  mayReject: true,
  hasSecret: false,
  awaitsFileUntil: null,
  ...changes,
});

/** The answer to a call that two people make. */
export const aProposal = { approvalId: 11, expiresAt: '2026-11-22T20:04:00Z' };
