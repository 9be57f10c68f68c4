import { useId, useState, type ReactNode } from 'react';
import { Button } from '../Button';
import { Icon } from '../Icon';
import { Table, type Column } from '../Table';

interface Props<Row> {
  title: string;
  /** What the picture says, in a sentence or two; stands under the title. */
  summary: ReactNode;
  /** The same figures in a table, which the button shows in the place of the picture. */
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string | number;
  children: ReactNode;
}

/** A picture of figures, with its title, its meaning in words, and the figures themselves. */
export function ChartFrame<Row>(props: Props<Row>) {
  const { title, summary, columns, rows, rowKey, children } = props;
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className="chart" aria-labelledby={`${id}-title`} aria-describedby={`${id}-summary`}>
      <figcaption className="chart-head">
        <div>
          <h3 id={`${id}-title`}>{title}</h3>
          <p className="quiet-text" id={`${id}-summary`}>
            {summary}
          </p>
        </div>
        <Button size="small" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          <Icon name="table" />
          Show as table
          <span className="unseen">: {title}</span>
        </Button>
      </figcaption>
      {asTable ? (
        // Long tables scroll in themselves; the keyboard has to reach what scrolls.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className="chart-table" role="region" aria-label={`${title}, table`} tabIndex={0}>
          <Table caption={title} columns={columns} rows={rows} rowKey={rowKey} />
        </div>
      ) : (
        children
      )}
    </figure>
  );
}
