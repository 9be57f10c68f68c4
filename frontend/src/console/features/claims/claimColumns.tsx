import type { ClaimRowView } from '../../api/admin';
import { formatCount, formatDateTime } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';
import { Badge } from '../../ui/Badge';
import { QueryLink } from '../../ui/QueryLink';
import type { Column } from '../../ui/Table';
import { rankOf, statusNames, tones } from './words';

export const claimColumns: Column<ClaimRowView>[] = [
  {
    key: 'prize',
    header: 'Prize',
    cell: (claim) => (
      <span className="claim-prize">
        <QueryLink change={{ claim: String(claim.id) }}>{claim.prize.name}</QueryLink>
        <span className="quiet-text">
          {raffleName(claim.landingPage)}, drawing {claim.drawingId}
        </span>
      </span>
    ),
  },
  { key: 'rank', header: 'Rank', cell: rankOf },
  {
    key: 'phone',
    header: 'Phone',
    cell: ({ phoneNumber }) => <span className="number">{maskPhone(phoneNumber)}</span>,
  },
  { key: 'status', header: 'Status', cell: ClaimBadges },
  {
    key: 'deadline',
    header: 'Deadline',
    time: true,
    cell: ({ expiresAt }) => (expiresAt ? formatDateTime(expiresAt) : ''),
  },
  {
    key: 'texts',
    header: 'Texts',
    help: 'How many texts told the winner about the claim. Codes do not count.',
    numeric: true,
    cell: ({ notificationsSent }) => formatCount(notificationsSent),
  },
  {
    key: 'drawn',
    header: 'Asked',
    time: true,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
];

export function ClaimBadges({ status, needsCall, paused }: ClaimRowView) {
  const waits = status === 'pending' || status === 'code_verified';
  return (
    <span className="claim-badges">
      <Badge tone={tones[status]}>{statusNames[status]}</Badge>
      {waits && needsCall && <Badge tone="warn">Needs a call</Badge>}
      {paused && <Badge tone="warn">Paused</Badge>}
    </span>
  );
}
