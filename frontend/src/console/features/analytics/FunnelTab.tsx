import {
  useGetDashboardQuery,
  useGetTrendsQuery,
  type DashboardView,
  type ReferralFunnelRowView,
  type TopReferrerView,
} from '../../api/admin';
import { formatCount, formatDecimal, formatMinutes } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { Histogram } from '../../ui/charts/Histogram';
import { Card, Figure, Figures } from '../../ui/Card';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { velocityBars } from './buckets';

const FUNNEL_ROWS = 10;
const TOP_REFERRERS = 5;

export function FunnelTab() {
  const dashboard = useGetDashboardQuery();
  return (
    <div className="grid">
      <Card
        title="Referral funnel breakdown"
        note={`The first ${FUNNEL_ROWS} referral codes, most signups first`}
      >
        <QueryView query={dashboard} quiet>
          {({ referralFunnel }) => <Breakdown rows={referralFunnel.slice(0, FUNNEL_ROWS)} />}
        </QueryView>
      </Card>
      <div className="grid" data-columns="2">
        <Card title="Referral Velocity" note="How soon people who enter bring a friend">
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

function Breakdown({ rows }: { rows: ReferralFunnelRowView[] }) {
  if (rows.length === 0) {
    return (
      <EmptyState title="No referral codes in use yet">
        A code appears here as soon as somebody opens a shared link or enters through it.
      </EmptyState>
    );
  }
  return (
    <Table
      caption="What came of each referral code"
      columns={funnelColumns}
      rows={rows}
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
        note="of those who brought somebody"
      />
      <Figure
        label="Avg referrals per user"
        value={formatDecimal(velocity.avgReferralsPerUser, 1)}
      />
    </Figures>
  );
}

/** Of all time: the dates of other charts do not touch it. */
function VelocityChart() {
  const trends = useGetTrendsQuery({});
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
            summary={`${formatCount(referrers)} ${referrers === 1 ? 'person' : 'people'} by how long their first friend took.`}
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
        Who brings the most friends is listed here, with the first friend who enters through a link.
      </EmptyState>
    );
  }
  return (
    <Table
      caption="Who brought the most friends"
      columns={referrerColumns}
      rows={rows}
      rowKey={({ referralCode }) => referralCode}
    />
  );
}

const code = ({ referralCode }: { referralCode: string }) => (
  <span className="code">{referralCode}</span>
);

const count = <Key extends string>(key: Key, header: string) => ({
  key,
  header,
  numeric: true,
  cell: (row: Record<Key, number>) => formatCount(row[key]),
});

const funnelColumns: Column<ReferralFunnelRowView>[] = [
  { key: 'code', header: 'Referral code', cell: code },
  count('views', 'Views'),
  count('signups', 'Signups'),
  count('referrals', 'Referrals'),
  count('shares', 'Shares'),
  count('conversions', 'Conversions'),
];

const referrerColumns: Column<TopReferrerView>[] = [
  { key: 'code', header: 'Referral code', cell: code },
  { key: 'phone', header: 'Phone', cell: ({ phoneNumber }) => maskPhone(phoneNumber) },
  count('count', 'Referrals'),
];
