import { useState } from 'react';
import { useListPackagesQuery, type PackageView } from '../../api/admin';
import { formatCount, formatMoney } from '../../../shared/lib/format';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { DeletePackage } from './DeletePackage';
import { PackageDialog } from './PackageDialog';

type Asking = { to: 'create'; about?: never } | { to: 'edit' | 'delete'; about: PackageView };

export function Packages() {
  const packages = useListPackagesQuery();
  const [asking, setAsking] = useState<Asking>();
  const list = useKeptFocus();
  const close = () => setAsking(undefined);
  return (
    <Card
      title="Entry packages"
      note="In the order in which users see them. Inactive packages are hidden from users."
      actions={<Button onClick={() => setAsking({ to: 'create' })}>New package</Button>}
    >
      <div {...list}>
        <QueryView query={packages}>
          {({ packages: rows }) => <Rows rows={rows} onAsk={setAsking} />}
        </QueryView>
      </div>
      {asking?.to === 'delete' && <DeletePackage deleted={asking.about} onClose={close} />}
      {asking && asking.to !== 'delete' && <PackageDialog edited={asking.about} onClose={close} />}
    </Card>
  );
}

interface RowsProps {
  rows: PackageView[];
  onAsk: (asking: Asking) => void;
}

function Rows({ rows, onAsk }: RowsProps) {
  if (rows.length === 0) {
    return (
      <EmptyState title="No entry packages yet">
        Create one, and it is listed here and offered to users while pricing is shown.
      </EmptyState>
    );
  }
  return (
    <Table
      caption="What users can buy, and what is hidden from them"
      columns={columnsWith(onAsk)}
      rows={rows}
      rowKey={({ id }) => id}
    />
  );
}

const columnsWith = (onAsk: RowsProps['onAsk']): Column<PackageView>[] => [
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
  { key: 'entries', header: 'Entries', numeric: true, cell: ({ entries }) => formatCount(entries) },
  { key: 'price', header: 'Price', numeric: true, cell: ({ price }) => formatMoney(price) },
  { key: 'status', header: 'Status', cell: ({ isActive }) => <Status isActive={isActive} /> },
  {
    key: 'order',
    header: 'Order',
    numeric: true,
    cell: ({ sortOrder }) => formatCount(sortOrder),
  },
  {
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
  },
];

function Status({ isActive }: { isActive: boolean }) {
  if (isActive) return <Badge tone="good">Active</Badge>;
  return (
    <span className="package-status">
      <Badge>Inactive</Badge>
      <span className="quiet-text">Hidden from users</span>
    </span>
  );
}
