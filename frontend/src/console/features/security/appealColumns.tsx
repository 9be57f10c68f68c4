import type { AppealStatusView, AppealView } from '../../api/admin';
import { formatCount, formatDateTime } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import type { Column } from '../../ui/Table';
import { PersonLink } from '../../ui/PersonLink';
import type { Deciding } from './DecideDialog';
import { WhyFlagged } from '../../ui/WhyFlagged';

export const statusNames: Record<AppealStatusView, string> = {
  open: 'Open',
  accepted: 'Accepted',
  rejected: 'Rejected',
};

const tones = { open: 'warn', accepted: 'good', rejected: 'bad' } as const;

export const appealColumns = (onDecide: (deciding: Deciding) => void): Column<AppealView>[] => [
  {
    key: 'phone',
    header: 'Phone',
    cell: ({ user, status }) => (
      <span className="who">
        <PersonLink id={user.id} phoneNumber={user.phoneNumber}>
          <span className="number">{maskPhone(user.phoneNumber)}</span>
        </PersonLink>{' '}
        {status === 'open' && !user.isFlagged && <Badge>Not flagged any more</Badge>}
      </span>
    ),
  },
  {
    key: 'page',
    header: 'Landing page',
    cell: ({ user }) => raffleName(user.landingPage),
  },
  {
    key: 'entries',
    header: 'Total entries',
    numeric: true,
    cell: ({ user }) => formatCount(user.totalEntries),
  },
  {
    key: 'reason',
    header: 'Reason',
    help: 'Why the user was flagged: what fraud detection found, or what staff wrote.',
    cell: WhyFlagged,
  },
  {
    key: 'message',
    header: 'Message',
    cell: ({ message }) => <span className="own-words">{message}</span>,
  },
  {
    key: 'sent',
    header: 'Sent',
    time: true,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  { key: 'status', header: 'Status', cell: Status },
  {
    key: 'actions',
    header: 'Decide',
    actions: true,
    cell: (appeal) => appeal.status === 'open' && <Decide appeal={appeal} onDecide={onDecide} />,
  },
];

function Status({ status, decidedAt, note }: AppealView) {
  return (
    <span className="decision">
      <Badge tone={tones[status]}>{statusNames[status]}</Badge>
      {decidedAt && <span className="quiet-text">{formatDateTime(decidedAt)}</span>}
      {note && <span className="own-words">{note}</span>}
    </span>
  );
}

interface DecideProps {
  appeal: AppealView;
  onDecide: (deciding: Deciding) => void;
}

function Decide({ appeal, onDecide }: DecideProps) {
  const whose = <span className="unseen">the appeal of {maskPhone(appeal.user.phoneNumber)}</span>;
  return (
    <span className="act decide">
      <Button size="small" onClick={() => onDecide({ appeal, decision: 'accept' })}>
        Accept {whose}
      </Button>
      <Button size="small" onClick={() => onDecide({ appeal, decision: 'reject' })}>
        Reject {whose}
      </Button>
    </span>
  );
}
