import type { AuditEntryView } from '../../api/admin';
import { formatCount, formatMoney, inWords } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import { deviceOf } from '../../lib/deviceWords';

type Action = AuditEntryView['action'];

/** The actions that can be filtered by. */
export const actionNames: Record<Action, string> = {
  login: 'Login',
  login_failed: 'Failed login',
  logout: 'Logout',
  invite_member: 'Invite somebody',
  accept_invitation: 'Accept invitation',
  change_member: 'Change account',
  reinvite_member: 'New invitation link',
  show_invitation: 'Show invitation link',
  set_up_totp: 'Set up second factor',
  remove_totp: 'Turn off second factor',
  reset_totp: 'Reset second factor',
  use_recovery_code: 'Use recovery code',
  make_recovery_codes: 'Make recovery codes',
  change_password: 'Change password',
  end_sessions: 'End sessions',
  export_numbers: 'Export phone numbers',
  read_numbers: 'Read a page of People',
  propose: 'Propose',
  approve_proposal: 'Approve proposal',
  reject_proposal: 'Reject proposal',
  flag_user: 'Flag user',
  unflag_user: 'Unflag user',
  fraud_detection: 'Fraud detection',
  decide_appeal: 'Decide appeal',
  approve_claim: 'Approve claim',
  reject_claim: 'Reject claim',
  ship_prize: 'Send prize',
  deliver_prize: 'Deliver prize',
  resend_claim: 'Text claim again',
  note_call: 'Note call',
  confirm_number: 'Confirm number',
  show_call_code: 'Show code of a call',
  mark_unreachable: 'End claim: unreachable',
  view_claim_details: "View winner's details",
  stop_texts: 'Stop texts',
  decide_reply: 'Decide reply',
  edit_person: 'Edit person',
  import_people: 'Import people',
  export_person: "Copy person's data",
  download_copy: "Download the copy of a person's data",
  erase_person: 'Erase person',
  mark_duplicate: 'Mark duplicate',
  unmark_duplicate: 'Remove duplicate mark',
  add_shared_network: 'Add shared network',
  remove_shared_network: 'Remove shared network',
  clear_analytics: 'Clear analytics',
  clear_referrals: 'Clear referrals',
  announce_drawing: 'Announce drawing',
  perform_drawing: 'Perform drawing',
  bring_beacon: 'Bring beacon',
  void_drawing: 'Void drawing',
  create_raffle: 'Create raffle',
  save_raffle_draft: 'Save draft of raffle',
  publish_raffle: 'Publish raffle',
  order_raffles: 'Order raffles',
  delete_raffle: 'Delete raffle',
  open_raffle: 'Open raffle',
  close_raffle: 'Close raffle',
  upload_picture: 'Upload picture',
  withdraw_picture: 'Withdraw picture',
  create_package: 'Create package',
  update_package: 'Update package',
  delete_package: 'Delete package',
  update_settings: 'Update settings',
  create_sms_template: 'Create text template',
  update_sms_template: 'Update text template',
  schedule_campaign: 'Schedule campaign',
  update_campaign: 'Change campaign',
  cancel_campaign: 'Cancel campaign',
  create_welcome_sms: 'Create welcome message',
  update_welcome_sms: 'Update welcome message',
  delete_welcome_sms: 'Delete welcome message',
  save_credentials: 'Save text credentials',
  send_test_text: 'Send test text',
  clear_campaigns: 'Clear campaigns',
  clear_sms: 'Clear all SMS data',
  run_retention: 'Erase old data',
  change_start_setting: 'Start with another setting',
};

const kinds: Partial<Record<Action, string>> = {
  login_failed: 'Account',
  invite_member: 'Account',
  accept_invitation: 'Account',
  change_member: 'Account',
  reinvite_member: 'Account',
  show_invitation: 'Account',
  reset_totp: 'Account',
  end_sessions: 'Session',
  propose: 'Proposal',
  approve_proposal: 'Proposal',
  reject_proposal: 'Proposal',
  flag_user: 'User',
  unflag_user: 'User',
  decide_appeal: 'Appeal',
  approve_claim: 'Claim',
  reject_claim: 'Claim',
  ship_prize: 'Claim',
  deliver_prize: 'Claim',
  resend_claim: 'Claim',
  note_call: 'Claim',
  confirm_number: 'Claim',
  show_call_code: 'Claim',
  mark_unreachable: 'Claim',
  view_claim_details: 'Claim',
  stop_texts: 'User',
  decide_reply: 'Reply',
  edit_person: 'User',
  export_person: 'User',
  download_copy: 'User',
  erase_person: 'User',
  mark_duplicate: 'User',
  unmark_duplicate: 'User',
  add_shared_network: 'Network',
  remove_shared_network: 'Network',
  announce_drawing: 'Drawing',
  perform_drawing: 'Drawing',
  bring_beacon: 'Drawing',
  void_drawing: 'Drawing',
  create_raffle: 'Raffle',
  save_raffle_draft: 'Raffle',
  publish_raffle: 'Raffle',
  delete_raffle: 'Raffle',
  open_raffle: 'Raffle',
  close_raffle: 'Raffle',
  upload_picture: 'Picture',
  withdraw_picture: 'Picture',
  create_package: 'Package',
  update_package: 'Package',
  delete_package: 'Package',
  create_sms_template: 'Template',
  update_sms_template: 'Template',
  schedule_campaign: 'Campaign',
  update_campaign: 'Campaign',
  cancel_campaign: 'Campaign',
  send_test_text: 'Text',
  export_numbers: 'Campaign',
  change_start_setting: 'Setting',
};

/** What it was done to is named by its id; a welcome message by its raffle. */
export function targetOf({ action, target }: AuditEntryView): string | undefined {
  if (!target) return undefined;
  const kind = kinds[action];
  return kind ? `${kind} ${target}` : raffleOf(target);
}

/** `{reason: 'Shared address', pageViews: 1200}` reads `Reason: Shared address`, `Page Views: 1,200`. */
export function detailsOf(details: AuditEntryView['details']): string[] {
  return Object.entries(details).map(([key, value]) => {
    if (key === 'landingPage') return `Raffle: ${raffleOf(value)}`;
    if (key === 'userAgent') return `Browser: ${deviceOf(String(value))}`;
    if (key === 'phoneNumberLast4') return `Phone number: ends in ${value}`;
    if (key === 'phoneNumberLast4Before') return `Phone number before: ended in ${value}`;
    if (key === 'priceInCents') return `Price: ${formatMoney(Number(value))}`;
    if (key === 'priceInCentsBefore') return `Price before: ${formatMoney(Number(value))}`;
    return `${inWords(key)}: ${inText(value)}`;
  });
}

const inText = (value: string | number): string =>
  typeof value === 'number' ? formatCount(value) : value;

const raffleOf = (value: string | number): string =>
  typeof value === 'string' ? raffleName(value) : inText(value);
