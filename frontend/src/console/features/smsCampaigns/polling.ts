import type { CampaignView } from '../../api/sms';

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
