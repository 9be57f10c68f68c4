import {
  useListDrawingHistoryQuery,
  type DrawingView,
  type DrawingSortView,
} from '../../api/admin';
import { today } from '../../../shared/lib/days';
import { formatCount, formatDateTime } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { DownloadButton } from '../../ui/DownloadButton';
import { NewTabLink } from '../../ui/NewTabLink';
import { Pagination } from '../../ui/Pagination';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { useDownloadDrawingsMutation } from './exportApi';
import { useHistoryPage, type HistoryView } from './useHistoryPage';

export function DrawingHistory() {
  const view = useHistoryPage();
  const { limit, offset, sort, order } = view;
  const history = useListDrawingHistoryQuery({ limit, offset, sort, order });
  return (
    <Card
      title="Drawing History"
      note="Anybody can check a drawing by its proof."
      actions={<Download />}
    >
      <QueryView query={history}>
        {({ drawings, totalCount }) => (
          <>
            <Drawings drawings={drawings} total={totalCount} view={view} />
            {totalCount > 0 && (
              <Pagination
                label="drawings"
                total={totalCount}
                limit={limit}
                offset={offset}
                onChange={view.open}
              />
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

function Download() {
  const [download, { isLoading, error }] = useDownloadDrawingsMutation();
  return (
    <DownloadButton
      fileName={`tombola-drawings-${today()}.csv`}
      fetchFile={() => download()}
      isLoading={isLoading}
      error={error}
    >
      Download CSV
    </DownloadButton>
  );
}

interface DrawingsProps {
  drawings: DrawingView[];
  total: number;
  view: HistoryView;
}

function Drawings({ drawings, total, view }: DrawingsProps) {
  if (total === 0) {
    return (
      <EmptyState title="No drawings performed yet">
        Each drawing is listed here, with its winner and its proof.
      </EmptyState>
    );
  }
  if (drawings.length === 0) {
    return (
      <div className="failed">
        <p>There is no such page.</p>
        <Button onClick={() => view.open(0)}>Show the first</Button>
      </div>
    );
  }
  return (
    <Table
      caption="Drawings with their winners"
      columns={columns}
      rows={drawings}
      rowKey={({ id }) => id}
      sorting={{ by: view.sort, order: view.order, onSort: view.sortBy }}
    />
  );
}

const columns: (Column<DrawingView> & { sort?: DrawingSortView })[] = [
  {
    key: 'raffle',
    header: 'Raffle',
    sort: 'landingPage',
    cell: ({ landingPage }) => raffleNames[landingPage],
  },
  {
    key: 'winner',
    header: 'Winner',
    cell: ({ winnerPhoneNumber }) => maskPhone(winnerPhoneNumber),
  },
  {
    key: 'entry',
    header: 'Entry number',
    sort: 'winningEntryNumber',
    numeric: true,
    cell: ({ winningEntryNumber }) => formatCount(winningEntryNumber),
  },
  {
    key: 'participants',
    header: 'Participants',
    sort: 'totalParticipants',
    numeric: true,
    cell: ({ totalParticipants }) => formatCount(totalParticipants),
  },
  {
    key: 'entries',
    header: 'Total entries',
    sort: 'totalEntries',
    numeric: true,
    cell: ({ totalEntries }) => formatCount(totalEntries),
  },
  {
    key: 'date',
    header: 'Date',
    sort: 'createdAt',
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
  {
    key: 'proof',
    header: 'Proof',
    actions: true,
    cell: ({ id }) => (
      <NewTabLink href={`/drawings/${id}`}>
        Proof<span className="unseen"> of drawing {id}</span>
      </NewTabLink>
    ),
  },
];
