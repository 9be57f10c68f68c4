import { useGetDashboardQuery, type SuspiciousActivityView } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { FlagButton } from './FlagButton';
import { FraudDetection } from './FraudDetection';

export function SuspiciousActivity() {
  const dashboard = useGetDashboardQuery();
  const list = useKeptFocus();
  return (
    <Card
      title="Suspicious Activity"
      note="Internet addresses from which several accounts entered"
      actions={<FraudDetection />}
    >
      <div {...list}>
        <QueryView query={dashboard}>
          {({ suspiciousActivity }) => <Addresses rows={suspiciousActivity} />}
        </QueryView>
      </div>
    </Card>
  );
}

function Addresses({ rows }: { rows: SuspiciousActivityView[] }) {
  if (rows.length === 0) {
    return (
      <EmptyState title="No suspicious activity">
        An internet address is listed here as soon as several accounts have entered from it.
      </EmptyState>
    );
  }
  return (
    <Table
      caption="Accounts and status of each address"
      columns={columns}
      rows={rows}
      rowKey={({ ipAddress }) => ipAddress}
    />
  );
}

const columns: Column<SuspiciousActivityView>[] = [
  {
    key: 'address',
    header: 'IP address',
    cell: ({ ipAddress }) => <span className="code">{ipAddress}</span>,
  },
  {
    key: 'accounts',
    header: 'Accounts',
    numeric: true,
    cell: ({ count }) => formatCount(count),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ flagged }) =>
      flagged ? <Badge tone="bad">Flagged</Badge> : <Badge tone="warn">Active</Badge>,
  },
  {
    key: 'flag',
    header: 'Flag',
    actions: true,
    // Without a user there is nobody to flag, and nobody else is flagged instead.
    cell: ({ ipAddress, flagged, userId }) =>
      !flagged && userId != null && <FlagButton ipAddress={ipAddress} userId={userId} />,
  },
];
