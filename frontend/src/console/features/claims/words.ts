import type { PermissionView } from '../../api/me';
import type {
  ClaimDetailView,
  ClaimRowView,
  ClaimStatusView,
  RejectionReasonView,
  VerificationMethodView,
} from '../../api/admin';

export const statusNames: Record<ClaimStatusView, string> = {
  pending: 'Waiting for the winner',
  code_verified: 'Number proved',
  submitted: 'To be checked',
  rejected: 'Rejected',
  verified: 'Approved',
  shipped: 'Sent',
  delivered: 'Delivered',
  declined: 'Declined',
  expired: 'Expired',
  unreachable: 'Unreachable',
};

/** The statuses that a list is filtered by. */
export const filterNames: Record<string, string> = { needs_call: 'Needs a call', ...statusNames };

export const tones = {
  pending: 'neutral',
  code_verified: 'neutral',
  submitted: 'warn',
  rejected: 'bad',
  verified: 'good',
  shipped: 'good',
  delivered: 'good',
  declined: 'neutral',
  expired: 'neutral',
  unreachable: 'neutral',
} as const;

export const reasonNames: Record<RejectionReasonView, string> = {
  underage: 'Not an adult',
  residence: 'Lives where the raffle is not open',
  affiliated: 'Works for the sponsor, or lives with somebody who does',
  fraud: 'Broke the rules',
  payment_reversed: 'The payment for counted entries was reversed',
  false_details: 'The details are false',
};

export const methodNames: Record<VerificationMethodView, string> = {
  code: 'With a code by text',
  call: 'On the phone, by staff',
  visitor_token: 'With the browser that entered',
};

/** `Drawn first`, or the number of the alternate. */
export const rankOf = ({ rank }: Pick<ClaimRowView, 'rank'>): string =>
  rank === 0 ? 'Drawn first' : `Alternate ${rank}`;

const waiting = ['pending', 'code_verified'];
const approved = ['verified', 'shipped'];

export type Act =
  'approve' | 'reject' | 'ship' | 'deliver' | 'resend' | 'call' | 'confirm' | 'give-up';

/** What staff can do with a claim now. */
export function actsOf(claim: ClaimDetailView, now: number): Act[] {
  const waits = waiting.includes(claim.status);
  const windowOpen =
    claim.status === 'rejected' && Date.parse(claim.rejection?.objectUntil ?? '') > now;
  const canDecide = (claim.status === 'submitted' || windowOpen) && !claim.paused;
  const acts: [Act, boolean][] = [
    ['approve', canDecide && claim.numberMatches],
    ['reject', claim.status === 'submitted'],
    ['ship', approved.includes(claim.status)],
    ['deliver', approved.includes(claim.status)],
    ['resend', waits],
    ['call', waits],
    ['confirm', waits && claim.needsCall],
    ['give-up', claim.status === 'pending' && claim.needsCall && claim.mayBeUnreachable],
  ];
  return acts.filter(([, isPossible]) => isPossible).map(([act]) => act);
}

/** Who may take a step. */
export const permissions: Record<Act, PermissionView> = {
  approve: 'decide_claims',
  reject: 'decide_claims',
  ship: 'decide_claims',
  deliver: 'decide_claims',
  confirm: 'decide_claims',
  'give-up': 'decide_claims',
  resend: 'follow_up_claims',
  call: 'follow_up_claims',
};

export const actNames: Record<Act, { act: string; acting: string; done: string }> = {
  approve: { act: 'Approve', acting: 'Approving...', done: 'Claim approved' },
  reject: { act: 'Reject', acting: 'Rejecting...', done: 'Claim rejected' },
  ship: { act: 'Mark as sent', acting: 'Saving...', done: 'Prize marked as sent' },
  deliver: { act: 'Mark as delivered', acting: 'Saving...', done: 'Prize marked as delivered' },
  resend: { act: 'Text the link again', acting: 'Sending...', done: 'The text is on its way' },
  call: { act: 'Note a call', acting: 'Saving...', done: 'Call noted' },
  confirm: { act: 'Confirm the number', acting: 'Saving...', done: 'Number confirmed' },
  'give-up': { act: 'Unreachable', acting: 'Saving...', done: 'Claim ended' },
};

/** What an act leads to. */
export const consequences: Record<Act, string> = {
  approve: 'The prize is theirs, and the page of the drawing says so. You then send it.',
  reject:
    'The winner reads your note and can object for 7 days. Until then you can still approve. After that, the next alternate is asked. The page of the drawing names the reason.',
  ship: 'The winner finds the carrier and the number on the page of the claim. You can change both until the prize is delivered.',
  deliver: 'The claim ends here. The name and the address are erased in 90 days.',
  resend: 'They get the same link again, in their hours.',
  call: 'Say who answered and what was said. Their 14 days begin with the first call, unless a text has arrived before.',
  confirm:
    'You called the number of the drawn entry and spoke with its owner. You get a code to read out on this call: it opens the claim in one browser. The page of the drawing says that the number was verified by a call.',
  'give-up': 'The claim ends, and the next alternate is asked.',
};
