import { useEffect } from 'react';
import type { CampaignView } from '../../shared/api/sms';

const LIVE_MS = 2_000;
const WAITING_MS = 15_000;

/** How often to ask about campaigns: often while one is on its way, now and then while one waits for its time. */
export function pollEveryMs(campaigns: CampaignView[], askedAt: number): number | undefined {
  const isLive = ({ status, scheduledDate }: CampaignView) =>
    status === 'sending' ||
    (status === 'pending' && Date.parse(scheduledDate) < askedAt + WAITING_MS);
  if (campaigns.some(isLive)) return LIVE_MS;
  if (campaigns.some(({ status }) => status === 'pending')) return WAITING_MS;
}

/** Asks again every so many milliseconds while the page is looked at; undefined is never. */
export function usePolling(refetch: () => unknown, everyMs: number | undefined) {
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (!document.hidden) refetch();
    }, everyMs);
    return () => clearInterval(timer);
  }, [refetch, everyMs]);
}
