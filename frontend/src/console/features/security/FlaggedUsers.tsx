import { useState } from 'react';
import { useListFlaggedUsersQuery, type FlaggedUserView } from '../../api/admin';
import { formatCount, formatDay } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { useRefreshing } from '../../lib/polled';
import { useListState } from '../../lib/useListState';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { DataList } from '../../ui/DataList';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { UnflagDialog } from './UnflagDialog';

export function FlaggedUsers() {
  const list = useListState({ pageSize: 10 });
  const { limit, offset } = list;
  const flagged = useListFlaggedUsersQuery({ limit, offset }, useRefreshing());
  const [unflagging, setUnflagging] = useState<FlaggedUserView>();
  return (
    <>
      <DataList
        title="Flagged Users"
        note="Newest flag first"
        query={flagged}
        pageOf={({ flaggedUsers, totalCount }) => ({ rows: flaggedUsers, total: totalCount })}
        list={list}
        label="flagged users"
        empty={
          <EmptyState title="No flagged users">All users are eligible for drawings</EmptyState>
        }
        caption="Who is excluded from the raffles, and why"
        columns={columnsWith(setUnflagging)}
        rowKey={({ id }) => id}
      >
        {({ rows, total }, table) => (
          <>
            {table}
            <More count={total - offset - rows.length} />
          </>
        )}
      </DataList>
      {unflagging && <UnflagDialog user={unflagging} onClose={() => setUnflagging(undefined)} />}
    </>
  );
}

function More({ count }: { count: number }) {
  if (count <= 0) return null;
  return (
    <p className="quiet-text more">
      ... and {formatCount(count)} more flagged {count === 1 ? 'user' : 'users'}
    </p>
  );
}

const columnsWith = (onUnflag: (user: FlaggedUserView) => void): Column<FlaggedUserView>[] => [
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
    help: 'The entries that the user has. They are in no drawing while the user is flagged.',
    numeric: true,
    cell: ({ totalEntries }) => formatCount(totalEntries),
  },
  {
    key: 'address',
    header: 'IP address',
    help: 'The internet address from which the user entered.',
    cell: ({ ipAddress }) => (ipAddress ? <span className="code">{ipAddress}</span> : 'N/A'),
  },
  {
    key: 'registered',
    header: 'Registered',
    time: true,
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
