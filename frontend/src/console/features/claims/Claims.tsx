import { useListClaimsQuery } from '../../api/admin';
import { refreshed } from '../../lib/polled';
import { useListState } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { DataList } from '../../ui/DataList';
import { FilterSelect } from '../../ui/FilterSelect';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState } from '../../ui/states';
import { formatCount } from '../../../shared/lib/format';
import { claimColumns } from './claimColumns';
import { filterNames } from './words';

const statuses = Object.keys(filterNames);

/** How winners get their prizes, the newest claim first. */
export function Claims() {
  const list = useListState({ prefix: 'claims.', pageSize: 10, filters: { status: statuses } });
  const { limit, offset, filters } = list;
  const claims = useListClaimsQuery({ ...filters, limit, offset }, refreshed);
  const seesDetails = useMay('view_claim_details');
  return (
    <DataList
      title="Claims"
      actions={seesDetails && <QueryLink change={{ view: 'shipping' }}>Shipping list</QueryLink>}
      note={
        <>
          How winners get their prizes <WaitingCount waiting={claims.data?.waiting} />
        </>
      }
      filters={
        <FilterSelect
          label="Claim status"
          name="status"
          all="All claims"
          options={filterNames}
          list={list}
          error={claims.error}
        />
      }
      query={claims}
      pageOf={(answer) => ({ rows: answer.claims, total: answer.total })}
      list={list}
      label="claims"
      empty={
        <EmptyState title="No claims yet">
          Whoever is drawn gets a text with a link to claim the prize. The claim appears here.
        </EmptyState>
      }
      caption="The claims of drawn entries, newest first"
      columns={claimColumns}
      rowKey={({ id }) => id}
    />
  );
}

function WaitingCount({ waiting }: { waiting: number | undefined }) {
  if (!waiting) return null;
  return <Badge tone="warn">{formatCount(waiting)} for you</Badge>;
}
