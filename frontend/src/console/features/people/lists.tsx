import type { PersonPurchaseView, PersonView } from '../../api/people';
import { countOf, formatCount, formatDateTime, formatMoney } from '../../../shared/lib/format';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { QueryLink } from '../../ui/QueryLink';
import { Table, type Column } from '../../ui/Table';
import { PersonLink } from '../../ui/PersonLink';
import { TextEvidence } from './TextEvidence';
import { named, reasonOf } from './words';

interface Lines<Row> {
  /** The newest. */
  rows: Row[];
  total: number;
}

interface LinesCardProps<Row> {
  title: string;
  /** One of them, such as `referral`. */
  one: string;
  lines: Lines<Row>;
  columns: Column<Row>[];
  rowKey: (row: Row) => number;
}

/** A list of a person's file: its newest rows, and how many there are. */
function LinesCard<Row>({ title, one, lines, columns, rowKey }: LinesCardProps<Row>) {
  const { rows, total } = lines;
  const note =
    total > rows.length
      ? `The newest ${rows.length} of ${formatCount(total)}`
      : countOf(total, one);
  return (
    <Card title={title} {...(total > 0 && { note })}>
      {total === 0 ? (
        <p className="quiet-text">None.</p>
      ) : (
        <Table
          caption={`${title} of this person, newest first`}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
        />
      )}
    </Card>
  );
}

const at = (header: string) => ({
  key: 'at',
  header,
  time: true,
  cell: ({ createdAt }: { createdAt: string }) => formatDateTime(createdAt),
});

const signed = (delta: number) => (delta > 0 ? `+${formatCount(delta)}` : formatCount(delta));

export function Ledger({ ledger }: Pick<PersonView, 'ledger'>) {
  return (
    <LinesCard
      title="Entries"
      one="change"
      lines={ledger}
      columns={[
        { key: 'why', header: 'Why', cell: ({ kind }) => reasonOf(kind) },
        { key: 'delta', header: 'Entries', numeric: true, cell: ({ delta }) => signed(delta) },
        at('When'),
      ]}
      rowKey={({ id }) => id}
    />
  );
}

export function Referrals({ referrals }: Pick<PersonView, 'referrals'>) {
  return (
    <LinesCard
      title="Friends"
      one="friend"
      lines={referrals}
      columns={[
        {
          key: 'who',
          header: 'Phone',
          cell: ({ id, phoneNumber, isReversed }) => (
            <span className="who">
              <PersonLink id={id} phoneNumber={phoneNumber} />{' '}
              {isReversed && <Badge>Entry taken back</Badge>}
            </span>
          ),
        },
        at('Entered'),
      ]}
      rowKey={({ id }) => id}
    />
  );
}

function PurchaseStatus({ status, failedRefunds }: PersonPurchaseView) {
  return (
    <span className="who">
      <Badge>{named(status)}</Badge>
      {failedRefunds > 0 && (
        <Badge tone="warn">A refund of {formatMoney(failedRefunds)} failed</Badge>
      )}
    </span>
  );
}

export function Purchases({ purchases }: Pick<PersonView, 'purchases'>) {
  return (
    <LinesCard
      title="Purchases"
      one="purchase"
      lines={purchases}
      columns={[
        { key: 'amount', header: 'Amount', cell: ({ amount }) => formatMoney(amount) },
        {
          key: 'entries',
          header: 'Entries',
          numeric: true,
          cell: ({ entriesAdded }) => formatCount(entriesAdded),
        },
        { key: 'status', header: 'Status', cell: PurchaseStatus },
        at('Begun'),
        {
          key: 'paid',
          header: 'Paid',
          time: true,
          cell: ({ completedAt }) => (completedAt ? formatDateTime(completedAt) : ''),
        },
        {
          key: 'refunded',
          header: 'Refunded',
          time: true,
          cell: ({ refundedAt }) => (refundedAt ? formatDateTime(refundedAt) : ''),
        },
      ]}
      rowKey={({ id }) => id}
    />
  );
}

export function Texts({ texts }: Pick<PersonView, 'texts'>) {
  return (
    <LinesCard
      title="Texts"
      one="text"
      lines={texts}
      columns={[
        {
          key: 'kind',
          header: 'Text',
          cell: ({ kind, campaignName }) => campaignName ?? named(kind),
        },
        {
          key: 'body',
          header: 'Words',
          cell: ({ body }) => <span className="own-words">{body ?? 'Not kept'}</span>,
        },
        { key: 'status', header: 'Status', cell: ({ status }) => <Badge>{named(status)}</Badge> },
        at('Queued'),
        {
          key: 'sent',
          header: 'Sent',
          time: true,
          cell: ({ sentAt }) => (sentAt ? formatDateTime(sentAt) : ''),
        },
        {
          key: 'evidence',
          header: 'What allowed it',
          cell: ({ id, kind }) => kind === 'campaign' && <TextEvidence id={id} />,
        },
      ]}
      rowKey={({ id }) => id}
    />
  );
}

export function Replies({ replies }: Pick<PersonView, 'replies'>) {
  return (
    <LinesCard
      title="Replies"
      one="reply"
      lines={replies}
      columns={[
        {
          key: 'body',
          header: 'Text',
          cell: ({ body, keyword }) => (
            <span className="who">
              <span className="own-words">{body}</span>{' '}
              {keyword && <Badge>{keyword.toUpperCase()}</Badge>}
            </span>
          ),
        },
        at('Received'),
      ]}
      rowKey={({ id }) => id}
    />
  );
}

export function Claims({ claims }: Pick<PersonView, 'claims'>) {
  return (
    <LinesCard
      title="Claims to prizes"
      one="claim"
      lines={{ rows: claims, total: claims.length }}
      columns={[
        {
          key: 'drawing',
          header: 'Drawing',
          cell: ({ id, drawingId }) => (
            <QueryLink change={{ section: 'drawing', claim: String(id) }} clear>
              {drawingId}
            </QueryLink>
          ),
        },
        {
          key: 'rank',
          header: 'Rank',
          cell: ({ rank }) => (rank === 0 ? 'Drawn first' : `Alternate ${rank}`),
        },
        {
          key: 'status',
          header: 'Status',
          cell: ({ status }) => <Badge>{named(status)}</Badge>,
        },
        at('Asked'),
      ]}
      rowKey={({ id }) => id}
    />
  );
}
