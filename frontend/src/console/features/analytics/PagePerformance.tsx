import { useGetDashboardQuery, type LandingPageStatsView } from '../../api/admin';
import { today } from '../../../shared/lib/days';
import { formatCount, formatPercent } from '../../../shared/lib/format';
import { raffleKeys, raffleName } from '../../lib/raffles';
import { useListState } from '../../lib/useListState';
import { NewTabLink } from '../../ui/NewTabLink';
import type { Column } from '../../ui/Table';
import { WholeList } from '../../ui/WholeList';

export function PagePerformance() {
  const dashboard = useGetDashboardQuery();
  const list = useListState({
    sorts: { page: 'asc', users: 'desc', referrals: 'desc', views: 'desc', rate: 'desc' },
  });
  return (
    <WholeList
      title="Landing page performance"
      note="The rate is users per page view. Each name opens its page."
      fileName={`tombola-pages-${today()}.csv`}
      query={dashboard}
      quiet
      rowsOf={({ landingPageStats }) => landingPageStats}
      list={list}
      empty={null}
      caption="Users, referrals and page views of each landing page"
      columns={columns}
      rowKey={({ landingPage }) => landingPage}
    />
  );
}

const columns: Column<LandingPageStatsView>[] = [
  {
    key: 'page',
    header: 'Landing page',
    sort: 'page',
    value: ({ landingPage }) => raffleName(landingPage),
    sortValue: ({ landingPage }) => raffleKeys().indexOf(landingPage),
    cell: ({ landingPage }) => (
      <NewTabLink href={`/${landingPage}`}>{raffleName(landingPage)}</NewTabLink>
    ),
  },
  {
    key: 'users',
    header: 'Users',
    numeric: true,
    sort: 'users',
    help: 'People who entered this raffle, however they came.',
    value: ({ users }) => users,
    cell: ({ users }) => formatCount(users),
  },
  {
    key: 'referrals',
    header: 'Referrals',
    numeric: true,
    sort: 'referrals',
    help: 'Friends who entered through the link of someone in this raffle.',
    value: ({ referrals }) => referrals,
    cell: ({ referrals }) => formatCount(referrals),
  },
  {
    key: 'views',
    header: 'Page views',
    numeric: true,
    sort: 'views',
    help: 'Views of the sign-up page, also through referral links. A visit counts once for each link.',
    value: ({ pageViews }) => pageViews,
    cell: ({ pageViews }) => formatCount(pageViews),
  },
  {
    key: 'rate',
    header: 'Rate',
    numeric: true,
    sort: 'rate',
    help: 'Users per hundred page views.',
    value: rateOf,
    cell: (row) => {
      const rate = rateOf(row);
      return rate === undefined ? 'N/A' : formatPercent(rate, 1);
    },
  },
];

/** In percent; undefined without views. */
function rateOf({ users, pageViews }: LandingPageStatsView): number | undefined {
  return pageViews === 0 ? undefined : Math.round((users / pageViews) * 1_000) / 10;
}
