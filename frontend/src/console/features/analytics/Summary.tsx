import { useGetDashboardQuery, useGetSalesQuery, type DashboardView } from '../../api/admin';
import { today } from '../../../shared/lib/days';
import { formatCount, formatMoney, formatPercent } from '../../../shared/lib/format';
import { useRefreshing } from '../../lib/polled';
import { useMay } from '../../session/me';
import { Figure, Figures } from '../../ui/Card';
import { QueryLink } from '../../ui/QueryLink';
import { ErrorState } from '../../ui/states';

/** The figures over the tabs. */
export function Summary() {
  const { data, error, isFetching, refetch } = useGetDashboardQuery();
  if (error && !data && !isFetching) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return <SummaryFigures dashboard={data} />;
}

function SummaryFigures({ dashboard }: { dashboard: DashboardView | undefined }) {
  const maySeeSales = useMay('view_sales');
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
      {maySeeSales && <Revenue />}
    </Figures>
  );
}

function Revenue() {
  const startDate = `${today().slice(0, 'YYYY-MM'.length)}-01`;
  const { data, error } = useGetSalesQuery({ startDate }, useRefreshing());
  const value = error && !data ? '–' : data && formatMoney(data.total.net);
  return (
    <Figure label="Revenue" value={value}>
      this month, after refunds.{' '}
      <QueryLink change={{ section: 'sales' }} clear>
        See sales
      </QueryLink>
    </Figure>
  );
}
