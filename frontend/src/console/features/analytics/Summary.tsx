import { useGetDashboardQuery, type DashboardView } from '../../api/admin';
import { formatCount, formatPercent } from '../../../shared/lib/format';
import { Figure, Figures } from '../../ui/Card';
import { ErrorState } from '../../ui/states';

/** The four figures over the tabs. */
export function Summary() {
  const { data, error, isFetching, refetch } = useGetDashboardQuery();
  if (error && !data && !isFetching) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return <SummaryFigures dashboard={data} />;
}

function SummaryFigures({ dashboard }: { dashboard: DashboardView | undefined }) {
  const rate = dashboard && formatPercent(dashboard.conversionRate, 2);
  return (
    <Figures label="Summary">
      <Figure label="Total Users" value={dashboard && formatCount(dashboard.totalUsers)} />
      <Figure label="Total Referrals" value={dashboard && formatCount(dashboard.totalReferrals)} />
      <Figure label="Page Views" value={dashboard && formatCount(dashboard.totalPageViews)} />
      <Figure
        label="Conversion Rate"
        value={rate}
        note="users who register after viewing the page"
      />
    </Figures>
  );
}
