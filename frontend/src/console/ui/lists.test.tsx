import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rowsOf } from '../../testing/console/renderConsole';
import { anyText, useListState } from '../lib/useListState';
import { saveFile } from '../lib/saveFile';
import { SearchField } from './SearchField';
import { EmptyState } from './states';
import { Table, type Column } from './Table';
import { WholeList } from './WholeList';
import { newUser } from '../../testing/newUser';

vi.mock('../lib/saveFile');
beforeEach(() => history.replaceState(null, '', '/admin'));

interface Code {
  code: string;
  views: number | undefined;
}

const columns: Column<Code>[] = [
  {
    key: 'code',
    header: 'Code',
    sort: 'code',
    value: ({ code }) => code,
    cell: ({ code }) => code,
  },
  {
    key: 'views',
    header: 'Views',
    numeric: true,
    sort: 'views',
    help: 'How often the link was opened.',
    value: ({ views }) => views,
    cell: ({ views }) => views ?? 'N/A',
  },
  { key: 'act', header: 'Act', actions: true, cell: () => <button>Act</button> },
];

function Codes({ rows }: { rows: Code[] }) {
  const list = useListState({
    pageSize: 5,
    sorts: { views: 'desc', code: 'asc' },
    filters: { search: anyText },
  });
  return (
    <WholeList
      title="Codes"
      fileName="codes.csv"
      search={<SearchField label="Find a code" list={list} />}
      query={{ data: rows, currentData: rows, isFetching: false, refetch: vi.fn() }}
      rowsOf={(data) => data}
      list={list}
      label="codes"
      empty={<EmptyState title="No codes yet" />}
      caption="Codes"
      columns={columns}
      rowKey={({ code }) => code}
    />
  );
}

const twelve = Array.from({ length: 12 }, (_, index) => ({ code: `C${index}`, views: 50 - index }));
const codesShown = () => rowsOf(screen.getByRole('table')).map(([code]) => code);
const show = (rows: Code[]) => {
  render(<Codes rows={rows} />);
  return newUser();
};

describe('a list that is here as a whole', () => {
  it('has pages, and is sorted by its headers', async () => {
    const user = show(twelve);
    expect(codesShown()).toEqual(['C0', 'C1', 'C2', 'C3', 'C4']);
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(codesShown()[0]).toBe('C5');
    await user.click(screen.getByRole('button', { name: 'Views' }));
    expect(codesShown()[0]).toBe('C11');
    expect(location.search).toBe('?order=asc');
    await user.click(screen.getByRole('button', { name: 'Code' }));
    expect(codesShown()).toEqual(['C0', 'C1', 'C10', 'C11', 'C2']);
  });

  it('sorts what has no value as less than 0', async () => {
    const user = show([
      { code: 'A', views: 1 },
      { code: 'B', views: 0 },
      { code: 'C', views: undefined },
    ]);
    await user.click(screen.getByRole('button', { name: 'Views' }));
    expect(codesShown()).toEqual(['C', 'B', 'A']);
  });

  it('is searched, and says when nothing matches', async () => {
    const user = show(twelve);
    const search = screen.getByRole('searchbox', { name: 'Find a code' });
    await user.type(search, 'c1');
    expect(codesShown()).toEqual(['C1', 'C10', 'C11']);
    await user.type(search, 'x');
    expect(screen.getByText('Nothing matches')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(codesShown()).toHaveLength(5);
    expect(search).toHaveValue('');
  });

  it('has no search field while it is short, and says when it is empty', () => {
    const { unmount } = render(<Codes rows={twelve.slice(0, 10)} />);
    expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
    unmount();
    render(<Codes rows={[]} />);
    expect(screen.getByText('No codes yet')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Export CSV' })).not.toBeInTheDocument();
  });

  it('is exported with every row that matches', async () => {
    const user = show([...twelve, { code: '=C1', views: undefined }]);
    await user.type(screen.getByRole('searchbox'), 'C1');
    await user.click(screen.getByRole('button', { name: 'Export CSV' }));
    const file = "Code,Views\r\nC1,49\r\nC10,40\r\nC11,39\r\n'=C1,\r\n";
    await waitFor(() => expect(saveFile).toHaveBeenCalledWith('codes.csv', file));
  });
});

describe('a table', () => {
  const showTable = (extra: Partial<Column<Code>> = {}) =>
    render(
      <Table
        caption="Codes"
        columns={columns.map((column) => ({ ...column, ...extra }))}
        rows={twelve}
        rowKey={({ code }) => code}
      />,
    );

  it('explains its columns, at the header and under the table', async () => {
    showTable();
    expect(screen.getByRole('columnheader', { name: 'Views' })).toHaveAccessibleDescription(
      'How often the link was opened.',
    );
    const toggle = screen.getByRole('button', { name: 'What the columns mean: Codes' });
    const meaning = screen.getByText('How often the link was opened.');
    expect(meaning).not.toBeVisible();
    await userEvent.click(toggle);
    expect(toggle).toHaveAttribute('aria-expanded', 'true');
    expect(meaning).toBeVisible();
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Views']);
  });

  it('describes the button of a header that sorts', () => {
    show(twelve);
    expect(screen.getByRole('button', { name: 'Views' })).toHaveAccessibleDescription(
      'How often the link was opened.',
    );
  });

  it('names the time zone of its times, if it has any', () => {
    const { unmount } = showTable();
    expect(screen.queryByText(/^Times are in/)).not.toBeInTheDocument();
    unmount();
    showTable({ time: true });
    expect(screen.getByText('Times are in New York time.')).toBeInTheDocument();
  });
});
