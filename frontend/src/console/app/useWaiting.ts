import { useCountWaitingQuery, type WaitingView } from '../api/admin';
import { refreshed } from '../lib/polled';

/** What of it waits on a screen. */
export type Waits = (waiting: WaitingView) => number;

/** How much waits for staff on a screen: nothing while it is not known. */
export function useWaiting() {
  const { data } = useCountWaitingQuery(undefined, refreshed);
  return (waits: Waits | undefined) => (data && waits ? waits(data) : 0);
}
