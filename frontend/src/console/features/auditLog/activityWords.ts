import type { AuditEntryView } from '../../api/admin';
import {
  countOf,
  formatCount,
  formatDateTime,
  formatMoney,
  inWords,
} from '../../../shared/lib/format';
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

/** The screens on which things of a kind are. */
const screens: Record<string, (target: string) => Record<string, string>> = {
  User: (person) => ({ section: 'people', person }),
  Claim: (claim) => ({ section: 'drawing', claim }),
  Drawing: () => ({ section: 'drawing' }),
  Campaign: (campaign) => ({ section: 'sms', tab: 'campaigns', campaign }),
  Template: () => ({ section: 'sms', tab: 'templates' }),
  Reply: () => ({ section: 'sms', tab: 'replies' }),
  Raffle: (view) => ({ section: 'raffles', view }),
  Package: () => ({ section: 'analytics', tab: 'pricing' }),
  Appeal: () => ({ section: 'analytics', tab: 'security' }),
  Proposal: () => ({ section: 'settings', tab: 'approvals' }),
};

/** What it was done to is gone. */
const removals: readonly Action[] = ['delete_raffle', 'delete_package'];

interface Target {
  name: string;
  /** Where it is shown. */
  screen?: Record<string, string> | undefined;
}

/** What it was done to: by its name where the entry has it, else by its id; a welcome message by its raffle. */
export function targetOf({ action, target, details }: AuditEntryView): Target | undefined {
  if (!target) return undefined;
  const kind = kinds[action];
  if (!kind) return { name: raffleOf(target) };
  const screen = removals.includes(action) ? undefined : screens[kind]?.(target);
  if (kind === 'Raffle') return { name: raffleOf(target), screen };
  if (kind === 'Account' && details.name) return { name: `Account ${details.name}`, screen };
  return { name: `${kind} ${target}`, screen };
}

type Value = string | number;

/** Where the words of the key are not enough. */
const labels: Partial<Record<string, string>> = {
  landingPage: 'Raffle',
  landingPageFilter: 'Only of',
  userAgent: 'Browser',
  phoneNumberLast4: 'Phone number',
  phoneNumberLast4Before: 'Phone number before',
  priceInCents: 'Price',
  priceInCentsBefore: 'Price before',
  trackingUrlBase: 'Links begin with',
  templateId: 'Template',
  userId: 'User',
  drawingId: 'Drawing',
  originalId: 'Same person as user',
  proposedBy: 'Proposed by account',
  customPhoneNumberCount: 'Numbers typed in',
  targetAudience: 'To',
  publicReason: 'Reason that the user reads',
  consentBasis: 'Basis of consent',
  takesEffectAt: 'Counts from',
  at: 'Time',
  oldRole: 'Role before',
  oldState: 'State before',
  round: 'Round of the beacon',
};

/** Numbers that count nothing. */
const ids = [
  'templateId',
  'userId',
  'drawingId',
  'originalId',
  'proposedBy',
  'proposal',
  'request',
  'round',
];

/** Values that are names of code, such as `several_accounts`. */
const coded = [
  'publicReason',
  'role',
  'oldRole',
  'state',
  'oldState',
  'decision',
  'kind',
  'list',
  'targetAudience',
];

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** `{reason: 'Shared address', pageViews: 1200}` reads `Reason: Shared address`, `Page views: 1,200`. */
export function detailsOf({ action, details }: AuditEntryView): string[] {
  if (action === 'run_retention') return erased(details);
  const shown = Object.entries(details).filter(
    ([key]) => !(key === 'name' && kinds[action] === 'Account'), // the target has it
  );
  return shown.map(([key, value]) => `${labels[key] ?? sentenceCase(key)}: ${inText(key, value)}`);
}

function inText(key: string, value: Value): string {
  if (ids.includes(key)) return String(value);
  if (key.startsWith('priceInCents')) return formatMoney(Number(value));
  if (key === 'phoneNumberLast4') return `ends in ${value}`;
  if (key === 'phoneNumberLast4Before') return `ended in ${value}`;
  if (key === 'landingPage' || key === 'landingPageFilter') return raffleOf(value);
  if (key === 'userAgent') return deviceOf(String(value));
  if (typeof value === 'number') return formatCount(value);
  if (TIME.test(value)) return formatDateTime(value);
  return coded.includes(key) ? value.replaceAll('_', ' ') : value;
}

/** What the terms erased; a run that found nothing says so in one line. */
function erased({ days, incomplete, ...counts }: AuditEntryView['details']): string[] {
  const found = Object.entries(counts).filter(([, count]) => count !== 0);
  return [
    `Kept for ${countOf(Number(days ?? 0), 'day')}`,
    ...(found.length === 0 ? ['Nothing was older'] : []),
    ...found.map(([key, count]) => `${sentenceCase(key)}: ${inText(key, count)}`),
    ...(incomplete ? ['The rest follows with the next run'] : []),
  ];
}

/** `pageViews` reads `Page views`. */
function sentenceCase(key: string): string {
  const [first = '', ...rest] = inWords(key);
  return first + rest.join('').toLowerCase();
}

const raffleOf = (landingPage: Value): string => raffleName(String(landingPage));
