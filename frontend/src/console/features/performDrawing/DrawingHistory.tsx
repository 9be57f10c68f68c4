import {
  useListDrawingHistoryQuery,
  type DrawingView,
  type DrawingSortView,
} from '../../api/admin';
import { useDownload } from '../../api/downloads';
import { today } from '../../../shared/lib/days';
import { formatCount, formatDateTime } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';
import { useListState, type Order } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { DataList } from '../../ui/DataList';
import { Badge } from '../../ui/Badge';
import { NewTabLink } from '../../ui/NewTabLink';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';

const sorts: Record<DrawingSortView, Order> = {
  createdAt: 'desc',
  landingPage: 'asc',
  winningEntryNumber: 'desc',
  totalParticipants: 'desc',
  totalEntries: 'desc',
};

export function DrawingHistory() {
  const list = useListState({ sorts });
  const { limit, offset, sort, order } = list;
  const history = useListDrawingHistoryQuery({ limit, offset, sort, order });
  const mayExport = useMay('export_lists');
  const fetchFile = useDownload('/api/admin/drawing/history/export');
  return (
    <DataList
      title="Drawing History"
      note="Anyone can check a drawing with its proof."
      exported={mayExport ? { fileName: `tombola-drawings-${today()}.csv`, fetchFile } : undefined}
      query={history}
      pageOf={({ drawings, totalCount }) => ({ rows: drawings, total: totalCount })}
      list={list}
      label="drawings"
      empty={
        <EmptyState title="No drawings performed yet">
          Each drawing is listed here, with its winner and its proof.
        </EmptyState>
      }
      caption="Drawings with their winners"
      columns={columns}
      rowKey={({ id }) => id}
    />
  );
}

const countOrDash = (count: number | null | undefined) =>
  count == null ? '–' : formatCount(count);

/** Who won, or why nobody did yet. */
function Outcome({ drawing }: { drawing: DrawingView }) {
  const { status, winnerPhoneNumber, voidReason } = drawing;
  if (status === 'void') return <Badge>Void: {voidReason}</Badge>;
  if (winnerPhoneNumber == null) return <Badge tone="warn">Waiting for the beacon</Badge>;
  return maskPhone(winnerPhoneNumber);
}

const columns: (Column<DrawingView> & { sort?: DrawingSortView })[] = [
  {
    key: 'raffle',
    header: 'Raffle',
    sort: 'landingPage',
    cell: ({ landingPage, kind }) => (
      <>
        {raffleName(landingPage)}
        {kind === 'additional' && <span className="quiet-text"> additional</span>}
      </>
    ),
  },
  {
    key: 'winner',
    header: 'Winner',
    cell: (drawing) => <Outcome drawing={drawing} />,
  },
  {
    key: 'entry',
    header: 'Entry number',
    sort: 'winningEntryNumber',
    help: 'The entry that was drawn. The entries of a raffle are numbered from 1, person by person.',
    numeric: true,
    cell: ({ winningEntryNumber }) => countOrDash(winningEntryNumber),
  },
  {
    key: 'participants',
    header: 'Participants',
    sort: 'totalParticipants',
    help: 'People who could win: everyone in the raffle who was not flagged.',
    numeric: true,
    cell: ({ totalParticipants }) => countOrDash(totalParticipants),
  },
  {
    key: 'entries',
    header: 'Total entries',
    sort: 'totalEntries',
    help: 'The entries of all participants: their first one, and those from referrals and packages.',
    numeric: true,
    cell: ({ totalEntries }) => countOrDash(totalEntries),
  },
  {
    key: 'date',
    header: 'Date',
    sort: 'createdAt',
    time: true,
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
