import { useState } from 'react';
import { useListPackagesQuery, type PackageView } from '../../api/admin';
import { formatCount, formatMoney } from '../../../shared/lib/format';
import { useRefreshing } from '../../lib/polled';
import { useListState } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { DataList } from '../../ui/DataList';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { DeletePackage } from './DeletePackage';
import { PackageDialog } from './PackageDialog';

type Asking = { to: 'create'; about?: never } | { to: 'edit' | 'delete'; about: PackageView };

export function Packages() {
  const [asking, setAsking] = useState<Asking>();
  const list = useListState({});
  const { limit, offset } = list;
  const packages = useListPackagesQuery({ limit, offset }, useRefreshing());
  const mayChange = useMay('manage_packages');
  const close = () => setAsking(undefined);
  return (
    <>
      <DataList
        title="Entry packages"
        note="In the order users see them. Inactive packages are hidden from users."
        actions={
          mayChange && <Button onClick={() => setAsking({ to: 'create' })}>New package</Button>
        }
        query={packages}
        pageOf={(answer) => ({ rows: answer.packages, total: answer.totalCount })}
        list={list}
        label="entry packages"
        empty={
          <EmptyState title="No entry packages yet">
            Packages are listed here, and offered to users while pricing is shown.
          </EmptyState>
        }
        caption="What users can buy, and what is hidden from them"
        columns={mayChange ? [...columns, acts(setAsking)] : columns}
        rowKey={({ id }) => id}
      />
      {asking?.to === 'delete' && <DeletePackage deleted={asking.about} onClose={close} />}
      {asking && asking.to !== 'delete' && <PackageDialog edited={asking.about} onClose={close} />}
    </>
  );
}

const columns: Column<PackageView>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name, isPopular }) => (
      <span className="who package-name">
        {name} {isPopular && <Badge tone="warn">Popular</Badge>}
      </span>
    ),
  },
  {
    key: 'description',
    header: 'Description',
    cell: ({ description }) => <span className="package-text">{description}</span>,
  },
  {
    key: 'entries',
    header: 'Entries',
    numeric: true,
    help: 'How many entries the buyer gets.',
    cell: ({ entries }) => formatCount(entries),
  },
  {
    key: 'price',
    header: 'Price',
    numeric: true,
    cell: ({ price }) => formatMoney(price),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ isActive }) => <Status isActive={isActive} />,
  },
  {
    key: 'order',
    header: 'Order',
    numeric: true,
    help: 'Users see the package with the lowest number first.',
    cell: ({ sortOrder }) => formatCount(sortOrder),
  },
];

const acts = (onAsk: (asking: Asking) => void): Column<PackageView> => ({
  key: 'actions',
  header: 'Change',
  actions: true,
  cell: (about) => (
    <span className="act package-acts">
      <Button size="small" onClick={() => onAsk({ to: 'edit', about })}>
        Edit <span className="unseen">{about.name}</span>
      </Button>
      <Button size="small" onClick={() => onAsk({ to: 'delete', about })}>
        Delete <span className="unseen">{about.name}</span>
      </Button>
    </span>
  ),
});

function Status({ isActive }: { isActive: boolean }) {
  if (isActive) return <Badge tone="good">Active</Badge>;
  return (
    <span className="package-status">
      <Badge>Inactive</Badge>
      <span className="quiet-text">Hidden from users</span>
    </span>
  );
}
