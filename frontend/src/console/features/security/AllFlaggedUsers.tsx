import { useEffect, useRef, useState } from 'react';
import {
  useListFlaggedUsersQuery,
  type FlaggedSortView,
  type FlaggedUserView,
} from '../../api/admin';
import { useDownload } from '../../api/downloads';
import { today } from '../../../shared/lib/days';
import { raffleKeys, raffleNames } from '../../lib/raffles';
import { useRefreshing } from '../../lib/polled';
import { useDebounced } from '../../lib/useDebounced';
import { anyText, useListState, type Order } from '../../lib/useListState';
import { useAllowed } from '../../session/me';
import { DataList } from '../../ui/DataList';
import { FilterSelect } from '../../ui/FilterSelect';
import { QueryLink } from '../../ui/QueryLink';
import { SearchField } from '../../ui/SearchField';
import { flaggedColumns, unflagging as unflaggingColumn } from './flaggedColumns';
import { NoFlaggedUsers } from './NoFlaggedUsers';
import { UnflagDialog } from '../../ui/flagging/UnflagDialog';

const sorts: Record<FlaggedSortView, Order> = {
  flaggedAt: 'desc',
  createdAt: 'desc',
  totalEntries: 'desc',
};
/** Everything that the list keeps in the address. */
const nothingOfList = { sort: null, order: null, offset: null, landingPage: null, search: null };

/** Everybody who is flagged: a page with an address of its own and a way back. */
export function AllFlaggedUsers() {
  const back = useRef<HTMLDivElement>(null);
  useEffect(() => back.current?.querySelector('a')?.focus(), []); // the link that led here is gone
  return (
    <>
      <div ref={back}>
        <QueryLink change={{ view: null, ...nothingOfList }}>Back to Security</QueryLink>
      </div>
      <FlaggedList />
    </>
  );
}

function FlaggedList() {
  const list = useListState({
    sorts,
    filters: { landingPage: raffleKeys(), search: anyText },
  });
  const { limit, offset, sort, order } = list;
  const { search: typed, ...others } = list.filters;
  const search = useDebounced(typed);
  const page = { ...others, ...(search && { search }), limit, offset, sort, order };
  const flagged = useListFlaggedUsersQuery(page, useRefreshing());
  const fetchFile = useDownload('/api/admin/flagged-users/export', list.filters);
  const allowed = useAllowed();
  const [unflagging, setUnflagging] = useState<FlaggedUserView>();
  return (
    <>
      <DataList
        title="All Flagged Users"
        exported={
          allowed('export_lists')
            ? { fileName: `tombola-flagged-users-${today()}.csv`, fetchFile }
            : undefined
        }
        filters={
          <>
            <FilterSelect
              label="Landing page"
              name="landingPage"
              all="All landing pages"
              options={raffleNames()}
              list={list}
              error={flagged.error}
            />
            <SearchField label="Find a number, IP address or reason" maxLength={80} list={list} />
          </>
        }
        query={flagged}
        pageOf={({ flaggedUsers, totalCount }) => ({ rows: flaggedUsers, total: totalCount })}
        list={list}
        label="flagged users"
        empty={<NoFlaggedUsers />}
        caption="Who is excluded from the raffles, and why"
        columns={
          allowed('manage_flags')
            ? [...flaggedColumns, unflaggingColumn(setUnflagging)]
            : flaggedColumns
        }
        rowKey={({ id }) => id}
      />
      {unflagging && <UnflagDialog user={unflagging} onClose={() => setUnflagging(undefined)} />}
    </>
  );
}
