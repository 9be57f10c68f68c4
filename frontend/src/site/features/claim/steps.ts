import type { Claim } from './api';

/** What the winner can do now, or what has become of the claim. */
export type Step = 'prove' | 'details' | Exclude<Claim['status'], 'pending' | 'code_verified'>;

export function stepOf({ status, isThisBrowser }: Claim): Step {
  if (status !== 'pending' && status !== 'code_verified') return status;
  return isThisBrowser ? 'details' : 'prove';
}

/** Whether the prize is still to be claimed: the deadline runs. */
export const isOpen = (claim: Claim) => ['prove', 'details'].includes(stepOf(claim));

/** Whether staff have approved the claim: the prize is the winner's. */
export const isWon = ({ status }: Claim) => ['verified', 'shipped', 'delivered'].includes(status);

/** Whether nothing can change any more. */
export const isOver = ({ status }: Claim) =>
  ['delivered', 'declined', 'expired', 'unreachable'].includes(status);

export interface StepProps {
  claim: Claim;
  /** When the claim was as it says, in milliseconds by this browser's clock. */
  receivedAt: number;
  /** The same moment by the server's clock. */
  now: number;
}
