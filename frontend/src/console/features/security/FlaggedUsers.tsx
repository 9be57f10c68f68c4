import { useState } from 'react';
import { useListFlaggedUsersQuery, type FlaggedUserView } from '../../api/admin';
import { formatCount, formatDay } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { UnflagDialog } from './UnflagDialog';

const SHOWN = 10;

export function FlaggedUsers() {
  const flagged = useListFlaggedUsersQuery({ limit: SHOWN });
  const [unflagging, setUnflagging] = useState<FlaggedUserView>();
  const list = useKeptFocus();
  return (
    <Card title="Flagged Users" note="The newest flag first">
      <div {...list}>
        <QueryView query={flagged}>
          {({ flaggedUsers, totalCount }) => (
            <Users users={flaggedUsers} total={totalCount} onUnflag={setUnflagging} />
          )}
        </QueryView>
      </div>
      {unflagging && <UnflagDialog user={unflagging} onClose={() => setUnflagging(undefined)} />}
    </Card>
  );
}

interface UsersProps {
  users: FlaggedUserView[];
  total: number;
  onUnflag: (user: FlaggedUserView) => void;
}

function Users({ users, total, onUnflag }: UsersProps) {
  if (users.length === 0) {
    return <EmptyState title="No flagged users">All users are eligible for drawings</EmptyState>;
  }
  const more = total - users.length;
  return (
    <>
      <Table
        caption="Who is excluded from the raffles, and why"
        columns={columnsWith(onUnflag)}
        rows={users}
        rowKey={({ id }) => id}
      />
      {more > 0 && (
        <p className="quiet-text more">
          ... and {formatCount(more)} more flagged {more === 1 ? 'user' : 'users'}
        </p>
      )}
    </>
  );
}

const columnsWith = (onUnflag: UsersProps['onUnflag']): Column<FlaggedUserView>[] => [
  {
    key: 'phone',
    header: 'Phone',
    cell: ({ phoneNumber }) => (
      <span className="who">
        {maskPhone(phoneNumber)} <Badge tone="bad">Excluded from Raffles</Badge>
      </span>
    ),
  },
  {
    key: 'page',
    header: 'Landing page',
    cell: ({ landingPage }) => raffleNames[landingPage],
  },
  {
    key: 'entries',
    header: 'Total entries',
    numeric: true,
    cell: ({ totalEntries }) => formatCount(totalEntries),
  },
  {
    key: 'address',
    header: 'IP address',
    cell: ({ ipAddress }) => (ipAddress ? <span className="code">{ipAddress}</span> : 'N/A'),
  },
  {
    key: 'registered',
    header: 'Registered',
    cell: ({ createdAt }) => <span className="day">{formatDay(createdAt)}</span>,
  },
  { key: 'reason', header: 'Reason', cell: ({ reason }) => reason },
  {
    key: 'unflag',
    header: 'Unflag',
    actions: true,
    cell: (user) => (
      <Button size="small" onClick={() => onUnflag(user)}>
        Unflag <span className="unseen">{maskPhone(user.phoneNumber)}</span>
      </Button>
    ),
  },
];
