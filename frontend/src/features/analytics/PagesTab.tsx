import { useGetDashboardQuery, type DashboardView } from '../../shared/api/admin';
import { formatCount, formatPercent } from '../../shared/lib/format';
import { Card } from '../../shared/ui/console/Card';
import { Icon } from '../../shared/ui/console/Icon';
import { QueryView } from '../../shared/ui/console/states';
import { Table, type Column } from '../../shared/ui/console/Table';
import { raffleNames } from '../../shared/lib/raffleNames';

type PageStats = DashboardView['landingPageStats'][number];

export function PagesTab() {
  const dashboard = useGetDashboardQuery();
  return (
    <Card title="Landing page performance" note="Rate: users for each page view">
      <QueryView query={dashboard}>
        {({ landingPageStats }) => (
          <Table
            caption="Users, referrals and views of each landing page"
            columns={columns}
            rows={landingPageStats}
            rowKey={({ landingPage }) => landingPage}
          />
        )}
      </QueryView>
    </Card>
  );
}

const columns: Column<PageStats>[] = [
  { key: 'page', header: 'Landing page', cell: PageLink },
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
  { key: 'rate', header: 'Rate', numeric: true, cell: rateOf },
];

function PageLink({ landingPage }: PageStats) {
  return (
    <a className="text-link" href={`/${landingPage}`} target="_blank" rel="noreferrer">
      {raffleNames[landingPage]}
      <Icon name="external" />
      <span className="unseen"> (opens in a new tab)</span>
    </a>
  );
}

function rateOf({ users, pageViews }: PageStats): string {
  return pageViews === 0 ? 'N/A' : formatPercent((users / pageViews) * 100, 1);
}
