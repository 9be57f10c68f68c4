import { useState } from 'react';
import { useListFlaggedUsersQuery, type FlaggedUserView } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { useRefreshing } from '../../lib/polled';
import { useListState } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { DataList } from '../../ui/DataList';
import { QueryLink } from '../../ui/QueryLink';
import type { Column } from '../../ui/Table';
import { flaggedColumns, unflagging as unflaggingColumn } from './flaggedColumns';
import { NoFlaggedUsers } from './NoFlaggedUsers';
import { UnflagDialog } from '../../ui/flagging/UnflagDialog';

const newest = { sort: 'flaggedAt', order: 'desc', limit: 10, offset: 0 } as const;

/** The list is always newest first. */
const withoutSort = (column: Column<FlaggedUserView>) => ({ ...column, sort: undefined });

/** Those whom staff or the detection flagged last. All others are on a page of their own. */
export function FlaggedUsers() {
  const flagged = useListFlaggedUsersQuery(newest, useRefreshing());
  const list = useListState({ prefix: 'newest.', pageSize: newest.limit });
  const mayUnflag = useMay('manage_flags');
  const [unflagging, setUnflagging] = useState<FlaggedUserView>();
  return (
    <>
      <DataList
        title="Flagged Users"
        note="Newest first, 10 at most"
        actions={<QueryLink change={{ view: 'flagged' }}>Show all flagged users</QueryLink>}
        query={flagged}
        pageOf={({ flaggedUsers, totalCount }) => ({ rows: flaggedUsers, total: totalCount })}
        list={list}
        empty={<NoFlaggedUsers />}
        caption="Who is excluded from the raffles, and why"
        columns={(mayUnflag
          ? [...flaggedColumns, unflaggingColumn(setUnflagging)]
          : flaggedColumns
        ).map(withoutSort)}
        rowKey={({ id }) => id}
      >
        {({ rows, total }, table) => (
          <>
            {table}
            <More count={total - rows.length} />
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
