import { useGetDashboardQuery, type LandingPageStatsView } from '../../api/admin';
import { formatCount, formatPercent } from '../../../shared/lib/format';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { Card } from '../../ui/Card';
import { NewTabLink } from '../../ui/NewTabLink';
import { QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';

export function PagePerformance() {
  const dashboard = useGetDashboardQuery();
  return (
    <Card
      title="Landing page performance"
      note="The rate is users for each page view. Each name opens its page."
    >
      <QueryView query={dashboard} quiet>
        {({ landingPageStats }) => (
          <Table
            caption="Users, referrals and page views of each landing page"
            columns={columns}
            rows={landingPageStats}
            rowKey={({ landingPage }) => landingPage}
          />
        )}
      </QueryView>
    </Card>
  );
}

const columns: Column<LandingPageStatsView>[] = [
  {
    key: 'page',
    header: 'Landing page',
    cell: ({ landingPage }) => (
      <NewTabLink href={`/${landingPage}`}>{raffleNames[landingPage]}</NewTabLink>
    ),
  },
  { key: 'users', header: 'Users', numeric: true, cell: ({ users }) => formatCount(users) },
  {
    key: 'referrals',
    header: 'Referrals',
    numeric: true,
    cell: ({ referrals }) => formatCount(referrals),
  },
  {
    key: 'views',
    header: 'Page views',
    numeric: true,
    cell: ({ pageViews }) => formatCount(pageViews),
  },
  {
    key: 'rate',
    header: 'Rate',
    numeric: true,
    cell: ({ users, pageViews }) =>
      pageViews === 0 ? 'N/A' : formatPercent((users / pageViews) * 100, 1),
  },
];
