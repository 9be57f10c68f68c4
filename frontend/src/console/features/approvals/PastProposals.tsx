import { formatDateTime } from '../../../shared/lib/format';
import { useListApprovalsQuery, type ApprovalStatusView, type ApprovalView } from '../../api/staff';
import { useListState } from '../../lib/useListState';
import { Badge } from '../../ui/Badge';
import { DataList } from '../../ui/DataList';
import { FilterSelect } from '../../ui/FilterSelect';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { Arguments } from './Arguments';
import { ShowSecret } from './ShowSecret';
import { statusNames, tones } from './words';

const statuses = Object.keys(statusNames) as ApprovalStatusView[];

/** Everything that was ever proposed, and what became of it. */
export function PastProposals() {
  const list = useListState({ pageSize: 10, filters: { status: statuses } });
  const { limit, offset, filters } = list;
  const found = useListApprovalsQuery({ ...filters, limit, offset });
  return (
    <DataList
      title="All proposals"
      note="Each stays here, whatever became of it."
      filters={
        <FilterSelect
          label="Status"
          name="status"
          all="All proposals"
          options={statusNames}
          list={list}
          error={found.error}
        />
      }
      query={found}
      pageOf={({ approvals, totalCount }) => ({ rows: approvals, total: totalCount })}
      list={list}
      label="proposals"
      empty={
        <EmptyState title="No proposals yet">
          What was approved, rejected or not decided in time is listed here.
        </EmptyState>
      }
      caption="What was proposed, by whom, and what became of it"
      columns={columns}
      rowKey={({ id }) => id}
    />
  );
}

const columns: Column<ApprovalView>[] = [
  {
    key: 'what',
    header: 'What',
    cell: (approval) => (
      <div className="proposal">
        <span>{approval.summary}</span>
        <Arguments list={approval.arguments} />
        <ShowSecret approval={approval} />
        {approval.awaitsFileUntil && <SendFile until={approval.awaitsFileUntil} />}
      </div>
    ),
  },
  { key: 'status', header: 'Status', cell: Status },
  { key: 'by', header: 'Proposed by', cell: ({ proposedBy }) => proposedBy },
  {
    key: 'at',
    header: 'Proposed',
    time: true,
    cell: ({ proposedAt }) => formatDateTime(proposedAt),
  },
  { key: 'decidedBy', header: 'Decided by', cell: deciderOf },
  {
    key: 'decidedAt',
    header: 'Decided',
    time: true,
    cell: ({ decidedAt }) => (decidedAt ? formatDateTime(decidedAt) : '–'),
  },
];

/** The file of an import is not kept, so it is sent once more. */
function SendFile({ until }: { until: string }) {
  return (
    <span>
      <QueryLink change={{ section: 'people', view: 'import' }} clear>
        Choose the same file again
      </QueryLink>{' '}
      by {formatDateTime(until)}.
    </span>
  );
}

/** Without a name it was the operator, with a command on the server. */
function deciderOf({ decidedBy, decidedAt }: ApprovalView) {
  return decidedBy ?? (decidedAt ? 'On the server' : '–');
}

function Status({ status, error }: ApprovalView) {
  return (
    <span className="proposal-state">
      <Badge tone={tones[status]}>{statusNames[status]}</Badge>
      {error && <span className="quiet-text">{error}</span>}
    </span>
  );
}
