import { useSmsAnalyticsQuery, type SmsFiguresView } from '../../api/sms';
import { formatCount, formatPercent } from '../../../shared/lib/format';
import { Card } from '../../ui/Card';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';

export function SmsAnalytics() {
  const analytics = useSmsAnalyticsQuery();
  return (
    <Card title="Analytics" note="Campaign texts only: welcome and victory texts are not counted.">
      <QueryView query={analytics}>
        {({ analytics: figures }) => <Counts figures={figures} />}
      </QueryView>
    </Card>
  );
}

interface Row {
  name: string;
  means: string;
  count: number;
  /** In percent of the texts sent. */
  rate?: number;
}

function Counts({ figures }: { figures: SmsFiguresView }) {
  if (figures.totalSent === 0 && figures.failed === 0) {
    return (
      <EmptyState title="No campaign texts yet">
        Figures appear here once a campaign has sent its first text.
      </EmptyState>
    );
  }
  return (
    <Table
      caption="Results of all campaign texts"
      columns={columns}
      rows={rowsOf(figures)}
      rowKey={({ name }) => name}
    />
  );
}

const rowsOf = (figures: SmsFiguresView): Row[] => [
  { name: 'Sent', means: 'Accepted by the provider', count: figures.totalSent },
  {
    name: 'Delivered',
    means: 'Reached the phone',
    count: figures.delivered,
    rate: figures.deliveryRate,
  },
  { name: 'Failed', means: 'Refused, or could not be delivered', count: figures.failed },
  {
    name: 'Clicked',
    means: 'Someone opened the link',
    count: figures.clicked,
    rate: figures.clickRate,
  },
  {
    name: 'Converted',
    means: 'Went on to the raffle',
    count: figures.ctaClicked,
    rate: figures.ctaConversionRate,
  },
];

const columns: Column<Row>[] = [
  {
    key: 'name',
    header: 'Texts',
    cell: ({ name, means }) => (
      <span className="sms-name">
        {name} <span className="quiet-text">{means}</span>
      </span>
    ),
  },
  { key: 'count', header: 'Count', numeric: true, cell: ({ count }) => formatCount(count) },
  {
    key: 'rate',
    header: 'Of those sent',
    help: 'For every hundred texts that the provider accepted, how many this happened to.',
    numeric: true,
    cell: ({ rate }) => (rate === undefined ? '–' : formatPercent(rate, 1)),
  },
  {
    key: 'bar',
    header: 'Share',
    help: 'The same as a bar, from 0% to 100%.',
    cell: ({ rate }) =>
      rate !== undefined && <progress aria-hidden="true" max={100} value={rate} />,
  },
];
