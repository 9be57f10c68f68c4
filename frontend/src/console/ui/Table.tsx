import { useId, type ReactNode } from 'react';
import type { ListState } from '../lib/useListState';
import { Icon } from './Icon';
import { TableNotes } from './TableNotes';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the end, so that their digits line up. */
  numeric?: boolean;
  /** Buttons have no header that is seen. */
  actions?: boolean;
  /** Its header sorts the rows by this name. */
  sort?: string | undefined;
  /** The cell as plain data, for a file and for a list that is sorted and searched in the browser. */
  value?: (row: Row) => string | number | undefined;
  /** By what the rows are sorted, if not by the value. */
  sortValue?: (row: Row) => number;
  /** What the column counts, in plain words. */
  help?: string;
  /** Its cells are times: the table names the time zone. */
  time?: boolean;
}

type Sorting = Pick<ListState, 'sort' | 'order' | 'sortBy'>;

interface Props<Row> {
  /** What the table holds; read by screen readers, unseen. */
  caption: string;
  /** The first one heads its row. */
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row, index: number) => string | number;
  sorting?: Sorting | undefined;
}

/**
 * A dense table. On narrow screens each row becomes a block with the headers beside the values; the roles
 * are spelled out because browsers drop a table's meaning with its display.
 */
export function Table<Row>({ caption, columns, rows, rowKey, sorting }: Props<Row>) {
  const id = useId();
  return (
    <>
      <table className="table" role="table">
        <caption className="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Header
                key={column.key}
                column={column}
                sorting={sorting}
                helpId={column.help && `${id}-${column.key}`}
              />
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
      <TableNotes id={id} caption={caption} columns={columns} />
    </>
  );
}

interface HeaderProps<Row> {
  column: Column<Row>;
  sorting: Sorting | undefined;
  helpId: string | undefined;
}

function Header<Row>({ column, sorting, helpId }: HeaderProps<Row>) {
  const { header, actions, numeric, sort } = column;
  const cell = { role: 'columnheader', scope: 'col', 'data-numeric': numeric };
  const help = { 'aria-describedby': helpId };
  if (sort === undefined || !sorting) {
    return (
      <th {...cell} {...help}>
        {actions ? <span className="unseen">{header}</span> : header}
      </th>
    );
  }
  const order = sorting.sort === sort ? orders[sorting.order] : 'none';
  return (
    <th {...cell} aria-sort={order}>
      <button type="button" className="sort" {...help} onClick={() => sorting.sortBy(sort)}>
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
