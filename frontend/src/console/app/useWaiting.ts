import { useCountWaitingQuery, type WaitingView } from '../api/admin';
import { refreshed } from '../lib/polled';
import { useAllowed } from '../session/me';

type Allowed = ReturnType<typeof useAllowed>;

/** What of it waits on a screen for somebody with these permissions. */
export type Waits = (waiting: WaitingView, allowed: Allowed) => number;

export const appealsOf: Waits = ({ appeals }, allowed) => (allowed('decide_appeals') ? appeals : 0);
export const claimsOf: Waits = ({ claims }, allowed) => (allowed('view_claims') ? claims : 0);
export const approvalsOf: Waits = ({ approvals }, allowed) =>
  allowed('view_approvals') ? approvals : 0;

/** How much waits for staff on a screen: nothing while it is not known. */
export function useWaiting() {
  const { data } = useCountWaitingQuery(undefined, refreshed);
  const allowed = useAllowed();
  return (waits: Waits | undefined) => (data && waits ? waits(data, allowed) : 0);
}
