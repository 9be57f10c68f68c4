import type { ReactNode } from 'react';
import { useKeptFocus } from '../lib/useKeptFocus';
import type { ListState } from '../lib/useListState';
import { Button } from './Button';
import { Card } from './Card';
import { ExportButton, type ExportedFile } from './ExportButton';
import { Pagination } from './Pagination';
import { EmptyState, QueryView, type QueryResult } from './states';
import { Table, type Column } from './Table';

/** The rows of this page, and how many there are on all pages. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

export interface DataListProps<Data, Row> {
  title: string;
  note?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  exported?: ExportedFile | undefined;
  /** Fields that change the list's filters. */
  filters?: ReactNode;
  query: QueryResult<Data>;
  /** Another part of the screen says when refreshing failed. */
  quiet?: boolean;
  /** Rows may hold a form: see QueryView. */
  holdsForm?: boolean;
  pageOf: (data: Data) => Page<Row>;
  list: ListState;
  /** What is listed, for the pages: 'flagged users'. Without it the list has one page only. */
  label?: string;
  /** What it shows while there are no rows at all. */
  empty: ReactNode;
  /** What can be searched for, when the server cannot search for what is typed: nothing matches it. */
  unsearchable?: string | false;
  caption: string;
  columns: Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** Draws the rows if they are no plain table. */
  children?: (page: Page<Row>, table: ReactNode) => ReactNode;
}

/** A list that a query brings: every state that it can be in, its filters, table, pages and file. */
export function DataList<Data, Row>(props: DataListProps<Data, Row>) {
  const {
    title,
    note,
    actions,
    exported,
    filters,
    query,
    quiet = false,
    holdsForm = false,
    list,
    unsearchable,
  } = props;
  const part = useKeptFocus();
  const buttons = exported ? (
    <>
      <ExportButton {...exported} />
      {actions}
    </>
  ) : (
    actions
  );
  return (
    <Card title={title} note={note} actions={buttons}>
      {filters && <div className="filters">{filters}</div>}
      <div {...part}>
        {unsearchable ? (
          <NothingMatches list={list} hint={unsearchable} />
        ) : (
          <QueryView query={query} quiet={quiet} holdsForm={holdsForm}>
            {(data) => <Rows {...props} page={props.pageOf(data)} />}
          </QueryView>
        )}
      </div>
    </Card>
  );
}

function Rows<Data, Row>(props: DataListProps<Data, Row> & { page: Page<Row> }) {
  const { page, list, empty, label, children } = props;
  const { rows, total } = page;
  if (total === 0) return list.isFiltered ? <NothingMatches list={list} /> : empty;
  if (rows.length === 0) return <NoSuchPage list={list} />;
  const { caption, columns, rowKey } = props;
  const sorting = total > 1 ? list : undefined;
  const table = <Table {...{ caption, columns, rows, rowKey, sorting }} />;
  return (
    <>
      {children ? children(page, table) : table}
      {label && (
        <Pagination
          label={label}
          total={total}
          limit={list.limit}
          offset={list.offset}
          onChange={list.open}
        />
      )}
    </>
  );
}

function NothingMatches({ list, hint }: { list: ListState; hint?: string }) {
  return (
    <div className="nothing">
      <EmptyState title="Nothing matches">
        {hint ?? 'Choose other filters, or clear them.'}
      </EmptyState>
      <Button onClick={list.clearFilters}>Clear filters</Button>
    </div>
  );
}

function NoSuchPage({ list }: { list: ListState }) {
  return (
    <div className="failed">
      <p>There is no such page.</p>
      <Button onClick={() => list.open(0)}>Show the first page</Button>
    </div>
  );
}
