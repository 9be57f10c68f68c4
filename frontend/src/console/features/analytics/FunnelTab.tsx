import {
  useGetDashboardQuery,
  useGetTrendsQuery,
  type DashboardView,
  type ReferralFunnelRowView,
  type TopReferrerView,
} from '../../api/admin';
import { today } from '../../../shared/lib/days';
import {
  formatCount,
  formatDecimal,
  formatMinutes,
  inDaysAndHours,
} from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { useRefreshing } from '../../lib/polled';
import { anyText, useListState } from '../../lib/useListState';
import { Histogram } from '../../ui/charts/Histogram';
import { Card, Figure, Figures } from '../../ui/Card';
import { SearchField } from '../../ui/SearchField';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { WholeList } from '../../ui/WholeList';
import { velocityBars } from './buckets';

const FUNNEL_ROWS = 10;
const TOP_REFERRERS = 5;

export function FunnelTab() {
  const dashboard = useGetDashboardQuery();
  return (
    <div className="grid">
      <Breakdown />
      <div className="grid" data-columns="2">
        <Card title="Referral Velocity" note="How quickly people refer their first friend">
          <QueryView query={dashboard} quiet>
            {({ referralVelocity }) => <VelocityFigures velocity={referralVelocity} />}
          </QueryView>
          <VelocityChart />
        </Card>
        <Card title="Top Referrers" note={`The first ${TOP_REFERRERS}`}>
          <QueryView query={dashboard} quiet>
            {({ topReferrers }) => <Referrers rows={topReferrers.slice(0, TOP_REFERRERS)} />}
          </QueryView>
        </Card>
      </div>
    </div>
  );
}

/** The first ten codes, most signups first; the pages after that have the others. */
function Breakdown() {
  const dashboard = useGetDashboardQuery();
  const list = useListState({
    pageSize: FUNNEL_ROWS,
    sorts: {
      signups: 'desc',
      code: 'asc',
      views: 'desc',
      referrals: 'desc',
      shares: 'desc',
      conversions: 'desc',
    },
    filters: { search: anyText },
  });
  return (
    <WholeList
      title="Referral funnel breakdown"
      note="The codes with the most signups and views, at most 50"
      fileName={`tombola-referral-codes-${today()}.csv`}
      search={<SearchField label="Find a code" list={list} />}
      query={dashboard}
      quiet
      rowsOf={({ referralFunnel }) => referralFunnel}
      list={list}
      label="referral codes"
      empty={
        <EmptyState title="No referral codes in use yet">
          A code appears here once someone opens a shared link or enters through it.
        </EmptyState>
      }
      caption="Results of each referral code"
      columns={funnelColumns}
      rowKey={({ referralCode }) => referralCode}
    />
  );
}

function VelocityFigures({ velocity }: { velocity: DashboardView['referralVelocity'] }) {
  return (
    <Figures label="Referral Velocity">
      <Figure
        label="Avg time to first referral"
        value={formatMinutes(velocity.avgTimeToFirstReferral)}
        note={timeNote(velocity.avgTimeToFirstReferral)}
      />
      <Figure
        label="Avg referrals per user"
        value={formatDecimal(velocity.avgReferralsPerUser, 1)}
      />
    </Figures>
  );
}

function timeNote(seconds: number): string {
  const long = inDaysAndHours(seconds);
  return `${long ? `about ${long}, ` : ''}among people who referred someone`;
}

/** Of all time: the dates of other charts do not touch it. */
function VelocityChart() {
  const trends = useGetTrendsQuery({}, useRefreshing());
  return (
    <QueryView query={trends}>
      {({ velocity }) => {
        const bars = velocityBars(velocity);
        const referrers = bars.reduce((sum, { value }) => sum + value, 0);
        if (referrers === 0) {
          return (
            <EmptyState title="Nobody has referred a friend yet">
              The times to the first referral appear here.
            </EmptyState>
          );
        }
        return (
          <Histogram
            title="Time to first referral"
            summary={`${formatCount(referrers)} ${referrers === 1 ? 'person' : 'people'} by the time to their first referral.`}
            axis="Time to first referral"
            unit="Referrers"
            bars={bars}
          />
        );
      }}
    </QueryView>
  );
}

function Referrers({ rows }: { rows: TopReferrerView[] }) {
  if (rows.length === 0) {
    return (
      <EmptyState title="No referrals yet">
        People who refer the most friends appear here once the first friend enters through a link.
      </EmptyState>
    );
  }
  return (
    <Table
      caption="People who referred the most friends"
      columns={referrerColumns}
      rows={rows}
      rowKey={({ referralCode }) => referralCode}
    />
  );
}

const code = ({ referralCode }: { referralCode: string }) => (
  <span className="code">{referralCode}</span>
);

const count = <Key extends string>(key: Key, header: string, help: string) => ({
  key,
  header,
  help,
  sort: key,
  numeric: true,
  value: (row: Record<Key, number>) => row[key],
  cell: (row: Record<Key, number>) => formatCount(row[key]),
});

const codeColumn = {
  key: 'code',
  header: 'Referral code',
  sort: 'code',
  value: ({ referralCode }: { referralCode: string }) => referralCode,
  cell: code,
};

const funnelColumns: Column<ReferralFunnelRowView>[] = [
  codeColumn,
  count('views', 'Views', 'Page views through a link with this code.'),
  count('signups', 'Signups', 'People who entered through the code.'),
  count('referrals', 'Referrals', 'Friends for whom the owner of the code got an entry.'),
  count('shares', 'Shares', 'How often the link was shared with the buttons for it.'),
  count('conversions', 'Conversions', 'How many of the signups have bought an entry package.'),
];

const referrerColumns: Column<TopReferrerView>[] = [
  { key: 'code', header: 'Referral code', cell: code },
  { key: 'phone', header: 'Phone', cell: ({ phoneNumber }) => maskPhone(phoneNumber) },
  {
    key: 'count',
    header: 'Referrals',
    numeric: true,
    help: 'Friends who entered through the code.',
    cell: (row) => formatCount(row.count),
  },
];
