import type { ReactNode } from 'react';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Figures stand at the end, so that their digits line up. */
  numeric?: boolean;
  /** Buttons have no header that is seen. */
  actions?: boolean;
}

interface Props<Row> {
  /** What the table holds; read by screen readers, unseen. */
  caption: string;
  /** The first one heads its row. */
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row, index: number) => string | number;
}

/**
 * A dense table. On narrow screens each row becomes a block with the headers beside the values; the roles
 * are spelt out because browsers drop a table's meaning with its display.
 */
export function Table<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  return (
    <table className="table" role="table">
      <caption className="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.key} role="columnheader" scope="col" data-numeric={column.numeric}>
              {column.actions ? <span className="unseen">{column.header}</span> : column.header}
            </th>
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
