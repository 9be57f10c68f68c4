import type { GetSalesApiResponse, SoldView } from '../../api/admin';
import { formatCount, formatMoney } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import type { Filtering } from '../../lib/useListState';
import { Card, Figure, Figures } from '../../ui/Card';
import { DateRangeFields } from '../../ui/DateRangeFields';
import { EmptyState, QueryView, type QueryResult } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { monthInWords, packageInWords } from './words';

interface Props {
  query: QueryResult<GetSalesApiResponse>;
  list: Filtering;
}

/** Revenue in all, by month, raffle and package, in the days that are chosen. */
export function Sums({ query, list }: Props) {
  return (
    <Card
      title="What was sold"
      note="Refunds and lost disputes count in the month in which the purchase was paid."
    >
      <div className="filters">
        <DateRangeFields list={list} error={query.error} />
      </div>
      <QueryView query={query}>{(sales) => <Shown sales={sales} />}</QueryView>
    </Card>
  );
}

function Shown({ sales }: { sales: GetSalesApiResponse }) {
  const { total, byMonth, byRaffle, byPackage } = sales;
  return (
    <>
      <Figures label="Sales">
        <Figure label="Revenue" value={formatMoney(total.net)} note="after refunds" />
        <Figure label="Sold" value={formatMoney(total.gross)} />
        <Figure label="Sent back" value={formatMoney(total.returned)} />
        <Figure label="Purchases" value={formatCount(total.purchases)} />
      </Figures>
      {total.purchases > 0 ? (
        <div className="grid">
          <SoldTable
            header="Month"
            caption="What was sold by month"
            rows={byMonth.map(({ month, sold }) => ({ name: monthInWords(month), sold }))}
          />
          <SoldTable
            header="Raffle"
            caption="What was sold by raffle"
            rows={byRaffle.map(({ landingPage, sold }) => ({
              name: raffleName(landingPage),
              sold,
            }))}
          />
          <SoldTable
            header="Package"
            caption="What was sold by package"
            rows={byPackage.map(({ package: name, sold }) => ({
              name: packageInWords(name),
              sold,
            }))}
          />
        </div>
      ) : (
        <EmptyState title="Nothing was sold in these days">
          Purchases that are paid appear here.
        </EmptyState>
      )}
    </>
  );
}

interface SoldRow {
  name: string;
  sold: SoldView;
}

function SoldTable({
  header,
  caption,
  rows,
}: {
  header: string;
  caption: string;
  rows: SoldRow[];
}) {
  const columns: Column<SoldRow>[] = [
    { key: 'name', header, cell: ({ name }) => name },
    {
      key: 'purchases',
      header: 'Purchases',
      numeric: true,
      cell: ({ sold }) => formatCount(sold.purchases),
    },
    { key: 'gross', header: 'Sold', numeric: true, cell: ({ sold }) => formatMoney(sold.gross) },
    {
      key: 'returned',
      header: 'Sent back',
      numeric: true,
      cell: ({ sold }) => formatMoney(sold.returned),
    },
    { key: 'net', header: 'Revenue', numeric: true, cell: ({ sold }) => formatMoney(sold.net) },
  ];
  return <Table caption={caption} columns={columns} rows={rows} rowKey={(_, index) => index} />;
}
