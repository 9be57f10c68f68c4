import { useState } from 'react';
import { useListAppealsQuery, type AppealStatusView } from '../../api/admin';
import { useRefreshing } from '../../lib/polled';
import { useListState } from '../../lib/useListState';
import { Badge } from '../../ui/Badge';
import { DataList } from '../../ui/DataList';
import { FilterSelect } from '../../ui/FilterSelect';
import { EmptyState } from '../../ui/states';
import { formatCount } from '../../../shared/lib/format';
import { appealColumns, statusNames } from './appealColumns';
import { DecideDialog, type Deciding } from './DecideDialog';

const statuses = Object.keys(statusNames) as AppealStatusView[];

/** What flagged users write about their flag: the open ones wait for a decision. */
export function Appeals() {
  const list = useListState({ prefix: 'appeals.', pageSize: 10, filters: { status: statuses } });
  const { limit, offset, filters } = list;
  const appeals = useListAppealsQuery({ ...filters, limit, offset }, useRefreshing());
  const [deciding, setDeciding] = useState<Deciding>();
  return (
    <>
      <DataList
        title="Appeals"
        note={
          <>
            What flagged users write to us, open ones first <OpenCount open={appeals.data?.open} />
          </>
        }
        filters={
          <FilterSelect
            label="Appeal status"
            name="status"
            all="All appeals"
            options={statusNames}
            list={list}
            error={appeals.error}
          />
        }
        query={appeals}
        pageOf={(answer) => ({ rows: answer.appeals, total: answer.totalCount })}
        list={list}
        label="appeals"
        empty={
          <EmptyState title="No appeals">
            A flagged user can write to us on their own page. The message appears here.
          </EmptyState>
        }
        caption="What flagged users wrote, and what was decided"
        columns={appealColumns(setDeciding)}
        rowKey={({ id }) => id}
      />
      {deciding && <DecideDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </>
  );
}

function OpenCount({ open }: { open: number | undefined }) {
  if (!open) return null;
  return <Badge tone="warn">{formatCount(open)} open</Badge>;
}
