import type { ReactNode } from 'react';
import type { ListState } from '../lib/useListState';
import { DataList, type DataListProps, type Page } from './DataList';
import type { Column } from './Table';

interface Props<Data, Row> extends Omit<
  DataListProps<Data, Row>,
  'pageOf' | 'exported' | 'filters'
> {
  rowsOf: (data: Data) => Row[];
  /** The name of its file; without one it cannot be exported. */
  fileName?: string;
  /** A field for the filter `search`, which long lists get. */
  search?: ReactNode;
}

const LONG = 10;

/** A list whose rows all come in one answer: the browser sorts, searches, pages and exports them. */
export function WholeList<Data, Row>(props: Props<Data, Row>) {
  const { rowsOf, fileName, search, ...rest } = props;
  const { query, columns, list } = rest;
  const all = query.data === undefined ? [] : rowsOf(query.data);
  const fetchFile = async () => {
    const { tableFile } = await import(/* webpackChunkName: "csv" */ '../lib/csv');
    return { data: tableFile(columns, matching(all, columns, list)) };
  };
  return (
    <DataList
      {...rest}
      pageOf={(data) => cut(matching(rowsOf(data), columns, list), list)}
      exported={fileName && all.length > 0 ? { fileName, fetchFile } : undefined}
      filters={(all.length > LONG || list.isFiltered) && search}
    />
  );
}

const cut = <Row,>(rows: Row[], { offset, limit }: ListState): Page<Row> => ({
  rows: rows.slice(offset, offset + limit),
  total: rows.length,
});

/** The rows that contain what is searched for, in the order of the header that was pressed. */
function matching<Row>(rows: Row[], columns: Column<Row>[], list: ListState): Row[] {
  const words = list.filters.search?.trim().toLowerCase() ?? '';
  const contains = ({ value }: Column<Row>, row: Row) =>
    String(value?.(row) ?? '')
      .toLowerCase()
      .includes(words);
  const found = rows.filter((row) => columns.some((column) => contains(column, row)));
  return sorted(words ? found : rows, columns, list);
}

function sorted<Row>(rows: Row[], columns: Column<Row>[], list: ListState): Row[] {
  const { sort, order, isSorted } = list;
  if (!isSorted) return rows; // the server's order is the default
  const column = columns.find((each) => each.sort === sort);
  const valueOf = column?.sortValue ?? column?.value;
  if (!valueOf) return rows;
  const sign = order === 'asc' ? 1 : -1;
  return [...rows].sort((one, other) => sign * compare(valueOf(one), valueOf(other)));
}

type Value = string | number | undefined;

function compare(one: Value, other: Value): number {
  if (typeof one === 'string' && typeof other === 'string') return one.localeCompare(other, 'en');
  return Number(one ?? -1) - Number(other ?? -1);
}
