import type { ReactNode } from 'react';
import { Icon } from './Icon';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the end, so that their digits line up. */
  numeric?: boolean;
  /** Buttons have no header that is seen. */
  actions?: boolean;
  /** Its header sorts the rows by what the server calls this. */
  sort?: string;
}

export interface Sorting {
  by: string;
  order: 'asc' | 'desc';
  onSort: (by: string) => void;
}

interface Props<Row> {
  /** What the table holds; read by screen readers, unseen. */
  caption: string;
  /** The first one heads its row. */
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row, index: number) => string | number;
  sorting?: Sorting;
}

/**
 * A dense table. On narrow screens each row becomes a block with the headers beside the values; the roles
 * are spelt out because browsers drop a table's meaning with its display.
 */
export function Table<Row>({ caption, columns, rows, rowKey, sorting }: Props<Row>) {
  return (
    <table className="table" role="table">
      <caption className="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Header key={column.key} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, index) => (
          <tr key={rowKey(row, index)} role="row">
            {columns.map((column, place) => (
              <Cell key={column.key} column={column} isFirst={place === 0}>
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface HeaderProps<Row> {
  column: Column<Row>;
  sorting: Sorting | undefined;
}

function Header<Row>({ column, sorting }: HeaderProps<Row>) {
  const { header, actions, numeric, sort } = column;
  const cell = { role: 'columnheader', scope: 'col', 'data-numeric': numeric };
  if (sort === undefined || !sorting) {
    return <th {...cell}>{actions ? <span className="unseen">{header}</span> : header}</th>;
  }
  const order = sorting.by === sort ? orders[sorting.order] : 'none';
  return (
    <th {...cell} aria-sort={order}>
      <button type="button" className="sort" onClick={() => sorting.onSort(sort)}>
        {header}
        <Icon name={order === 'ascending' ? 'up' : 'down'} />
      </button>
    </th>
  );
}

const orders = { asc: 'ascending', desc: 'descending' } as const;

interface CellProps<Row> {
  column: Column<Row>;
  isFirst: boolean;
  children: ReactNode;
}

function Cell<Row>({ column, isFirst, children }: CellProps<Row>) {
  if (isFirst) {
    return (
      <th role="rowheader" scope="row">
        {children}
      </th>
    );
  }
  return (
    <td role="cell" data-numeric={column.numeric} data-actions={column.actions}>
      {/* Beside the value where the row is a block; the header itself is read by screen readers. */}
      {!column.actions && (
        <span className="cell-label" aria-hidden="true">
          {column.header}
        </span>
      )}
      <span className="cell-value">{children}</span>
    </td>
  );
}
