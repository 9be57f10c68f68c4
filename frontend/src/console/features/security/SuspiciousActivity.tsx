import { useState } from 'react';
import { useGetDashboardQuery, type SuspiciousActivityView } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { useListState } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { Badge } from '../../ui/Badge';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { WholeList } from '../../ui/WholeList';
import { Button } from '../../ui/Button';
import { FlagDialog } from '../../ui/flagging/FlagDialog';
import { FraudDetection } from './FraudDetection';

export function SuspiciousActivity() {
  const dashboard = useGetDashboardQuery();
  const mayFlag = useMay('manage_flags');
  const [asked, setAsked] = useState<SuspiciousActivityView>();
  const list = useListState({
    prefix: 'suspicious.',
    pageSize: 10,
    sorts: { accounts: 'desc', address: 'asc', status: 'asc' },
  });
  return (
    <>
      <WholeList
        title="Suspicious Activity"
        note="IP addresses that several accounts entered from; of IPv6, whole networks"
        actions={mayFlag && <FraudDetection />}
        query={dashboard}
        rowsOf={({ suspiciousActivity }) => suspiciousActivity}
        list={list}
        label="addresses"
        empty={
          <EmptyState title="No suspicious activity">
            An IP address is listed here once several accounts have entered from it.
          </EmptyState>
        }
        caption="Accounts and status of each address"
        columns={mayFlag ? [...columns, flagging(setAsked)] : columns}
        rowKey={({ ipAddress }) => ipAddress}
      />
      {asked?.userId != null && (
        <FlagDialog
          userId={asked.userId}
          reason={`Multiple accounts from IP ${asked.ipAddress}`}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

const columns: Column<SuspiciousActivityView>[] = [
  {
    key: 'address',
    header: 'IP address',
    sort: 'address',
    value: ({ ipAddress }) => ipAddress,
    cell: ({ ipAddress }) => <span className="code">{ipAddress}</span>,
  },
  {
    key: 'accounts',
    header: 'Accounts',
    numeric: true,
    sort: 'accounts',
    help: 'How many people entered from this address, in all raffles.',
    value: ({ count }) => count,
    cell: ({ count }) => formatCount(count),
  },
  {
    key: 'status',
    header: 'Status',
    sort: 'status',
    help: 'Flagged: each account is flagged, or staff have unflagged it. Active: at least one is neither.',
    value: ({ flagged }) => (flagged ? 'Flagged' : 'Active'),
    cell: ({ flagged }) =>
      flagged ? <Badge tone="bad">Flagged</Badge> : <Badge tone="warn">Active</Badge>,
  },
];

const flagging = (ask: (row: SuspiciousActivityView) => void): Column<SuspiciousActivityView> => ({
  key: 'flag',
  header: 'Flag',
  actions: true,
  // Without a known user there is no one to flag.
  cell: (row) =>
    !row.flagged &&
    row.userId != null && (
      <Button size="small" onClick={() => ask(row)}>
        Flag (User) <span className="unseen">{`${row.userId} of ${row.ipAddress}`}</span>
      </Button>
    ),
});
