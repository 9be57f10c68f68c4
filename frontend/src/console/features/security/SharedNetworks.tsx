import { useState } from 'react';
import { useListSharedNetworksQuery, type SharedNetworkView } from '../../api/admin';
import { formatDay } from '../../../shared/lib/format';
import { useRefreshing } from '../../lib/polled';
import { useListState } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { DataList } from '../../ui/DataList';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { AddNetwork } from './AddNetwork';
import { RemoveNetwork } from './RemoveNetwork';

/** Networks that many honest people share: nobody on them is flagged for that alone. */
export function SharedNetworks() {
  const list = useListState({ prefix: 'networks.', pageSize: 10 });
  const { limit, offset } = list;
  const networks = useListSharedNetworksQuery({ limit, offset }, useRefreshing());
  const mayChange = useMay('manage_flags');
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<SharedNetworkView>();
  return (
    <>
      <DataList
        title="Shared networks"
        note="Schools, offices and phone companies: nobody is flagged only because others share one of these."
        actions={mayChange && <Button onClick={() => setAdding(true)}>Add network</Button>}
        query={networks}
        pageOf={(answer) => ({ rows: answer.networks, total: answer.totalCount })}
        list={list}
        label="shared networks"
        empty={
          <EmptyState title="No shared networks">
            Networks from which many honest people enter are listed here.
          </EmptyState>
        }
        caption="Networks that many people share"
        columns={mayChange ? [...columns, removal(setRemoving)] : columns}
        rowKey={({ id }) => id}
      />
      {isAdding && <AddNetwork onClose={() => setAdding(false)} />}
      {removing && <RemoveNetwork removed={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

const columns: Column<SharedNetworkView>[] = [
  {
    key: 'network',
    header: 'Network',
    cell: ({ network }) => <span className="code">{network}</span>,
  },
  { key: 'label', header: 'Name', cell: ({ label }) => <span className="own-words">{label}</span> },
  { key: 'added', header: 'Added', time: true, cell: ({ createdAt }) => formatDay(createdAt) },
];

const removal = (onRemove: (network: SharedNetworkView) => void): Column<SharedNetworkView> => ({
  key: 'remove',
  header: 'Remove',
  actions: true,
  cell: (network) => (
    <Button size="small" onClick={() => onRemove(network)}>
      Remove <span className="unseen">{network.network}</span>
    </Button>
  ),
});
