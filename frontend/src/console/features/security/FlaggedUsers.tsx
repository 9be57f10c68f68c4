import { useState } from 'react';
import {
  useListFlaggedUsersQuery,
  type FlaggedSortView,
  type FlaggedUserView,
  type LandingPageView,
} from '../../api/admin';
import { useDownload } from '../../api/downloads';
import { today } from '../../../shared/lib/days';
import { formatCount, formatDay } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { useRefreshing } from '../../lib/polled';
import { useListState, type Order } from '../../lib/useListState';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { DataList } from '../../ui/DataList';
import { FilterSelect } from '../../ui/FilterSelect';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { UnflagDialog } from './UnflagDialog';

const sorts: Record<FlaggedSortView, Order> = {
  flaggedAt: 'desc',
  createdAt: 'desc',
  totalEntries: 'desc',
};
const raffles = Object.keys(raffleNames) as LandingPageView[];

export function FlaggedUsers() {
  const list = useListState({ pageSize: 10, sorts, filters: { landingPage: raffles } });
  const { limit, offset, sort, order, filters } = list;
  const page = { ...filters, limit, offset, sort, order };
  const flagged = useListFlaggedUsersQuery(page, useRefreshing());
  const fetchFile = useDownload('/api/admin/flagged-users/export', filters);
  const [unflagging, setUnflagging] = useState<FlaggedUserView>();
  return (
    <>
      <DataList
        title="Flagged Users"
        exported={{ fileName: `tombola-flagged-users-${today()}.csv`, fetchFile }}
        filters={
          <FilterSelect
            label="Landing page"
            name="landingPage"
            all="All landing pages"
            options={raffleNames}
            list={list}
            error={flagged.error}
          />
        }
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

type SortedColumn = Column<FlaggedUserView> & { sort?: FlaggedSortView };

const columnsWith = (onUnflag: (user: FlaggedUserView) => void): SortedColumn[] => [
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
    sort: 'totalEntries',
    help: 'The entries that the user has. They are in no drawing while the user is flagged.',
    numeric: true,
    cell: ({ totalEntries }) => formatCount(totalEntries),
  },
  {
    key: 'address',
    header: 'IP address',
    help: 'The IP address the user entered from.',
    cell: ({ ipAddress }) => (ipAddress ? <span className="code">{ipAddress}</span> : 'N/A'),
  },
  {
    key: 'registered',
    header: 'Registered',
    sort: 'createdAt',
    time: true,
    cell: ({ createdAt }) => formatDay(createdAt),
  },
  {
    key: 'flagged',
    header: 'Flagged',
    sort: 'flaggedAt',
    time: true,
    cell: ({ flaggedAt }) => formatDay(flaggedAt),
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
