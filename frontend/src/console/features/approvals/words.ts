import type { ApiError } from '../../../shared/api/apiError';
import type { ApprovalKindView, ApprovalStatusView } from '../../api/staff';

export const kindNames: Record<ApprovalKindView, string> = {
  invite_member: 'Invite somebody',
  change_member: 'Change an account',
  reinvite_member: 'Make a new invitation link',
  clear_analytics: 'Clear analytics data',
  clear_referrals: 'Clear referral data',
  clear_campaigns: 'Clear campaigns',
  clear_sms: 'Clear all SMS data',
  save_credentials: 'Save the credentials of the SMS provider',
  show_packages: 'Show packages to users',
  approve_claim: 'Approve a rejected claim',
  reject_claim: 'Reject a claim',
  confirm_number: 'Confirm a number after a call',
  erase_winner: 'Erase a winner',
  perform_drawing: 'Additional drawing',
  void_drawing: 'Void a drawing',
  publish_raffle: 'Publish what a raffle says',
  open_raffle: 'Open a raffle',
  close_raffle: 'Close a raffle',
  import_people: 'Import people',
};

export const statusNames: Record<ApprovalStatusView, string> = {
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
  failed: 'Failed',
};

export const tones = {
  open: 'warn',
  approved: 'good',
  rejected: 'bad',
  expired: 'neutral',
  failed: 'bad',
} as const;

export const sentences = {
  concerns_you: 'This is about your own account. Somebody else must decide it.',
  own_proposal: 'You proposed this yourself. Somebody else must approve it.',
  account_too_young: 'Your account must be at least 7 days old before you can approve.',
  approval_decided: 'Somebody else has decided this already.',
  proposer_disabled:
    'Whoever proposed this was disabled or has another role now, so it cannot be approved.',
  nothing_to_show: 'This was shown before, or it is not yours to see.',
  approval_expired: 'The time for this is over. It has to be proposed again.',
};

/** Why a decision was refused: the call that was approved may have been refused too, in its own words. */
export const explained = ({ code, sentence }: ApiError): string =>
  (code && (sentences as Partial<Record<string, string>>)[code]) ?? sentence;
