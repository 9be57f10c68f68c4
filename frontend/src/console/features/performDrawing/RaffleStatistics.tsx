import { useGetDrawingStatsQuery, type RaffleStatisticsView } from '../../api/admin';
import { formatCount, formatDecimal } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import { Card } from '../../ui/Card';
import { QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';

export function RaffleStatistics() {
  const stats = useGetDrawingStatsQuery();
  return (
    <Card
      title="Raffle Statistics"
      note="Only people who can win are counted: flagged users are left out."
    >
      <QueryView query={stats}>
        {({ landingPageStats }) => (
          <Table
            caption="Participants and entries of each raffle"
            columns={columns}
            rows={landingPageStats}
            rowKey={({ landingPage }) => landingPage}
          />
        )}
      </QueryView>
    </Card>
  );
}

const columns: Column<RaffleStatisticsView>[] = [
  { key: 'raffle', header: 'Raffle', cell: ({ landingPage }) => raffleName(landingPage) },
  {
    key: 'users',
    header: 'Participants',
    numeric: true,
    help: 'People in the raffle who are not flagged.',
    cell: ({ users }) => formatCount(users),
  },
  {
    key: 'entries',
    header: 'Total entries',
    numeric: true,
    help: 'All entries of the participants: their first one, and those from referrals and packages.',
    cell: ({ totalEntries }) => formatCount(totalEntries),
  },
  {
    key: 'average',
    header: 'Average entries',
    numeric: true,
    help: 'Total entries divided by participants.',
    cell: ({ averageEntries }) => formatDecimal(averageEntries, 1),
  },
];
