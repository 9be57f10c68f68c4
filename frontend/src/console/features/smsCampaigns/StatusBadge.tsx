import type { CampaignStatusView } from '../../api/sms';
import { Badge } from '../../ui/Badge';
import { statusNames } from './words';

const tones = {
  pending: 'neutral',
  sending: 'warn',
  sent: 'good',
  failed: 'bad',
  cancelled: 'neutral',
} as const;

export function StatusBadge({ status }: { status: CampaignStatusView }) {
  return <Badge tone={tones[status]}>{statusNames[status]}</Badge>;
}
