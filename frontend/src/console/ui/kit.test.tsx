import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { Button } from './Button';
import { ConfirmDialog } from './ConfirmDialog';
import { DateField } from './DateField';
import { Pagination } from './Pagination';
import { QueryView, type QueryResult } from './states';
import { newUser } from '../../testing/newUser';

function Clearing({ onConfirm, busy = false }: { onConfirm: () => void; busy?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Clear</Button>
      {open && (
        <ConfirmDialog
          title="Clear all views?"
          confirmLabel="Clear 12 views"
          confirmWord="CLEAR"
          danger
          busy={busy}
          onConfirm={onConfirm}
          onClose={() => setOpen(false)}
        >
          <p>12 views will be deleted.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

describe('a dialog that asks before an act', () => {
  async function open(busy = false) {
    const onConfirm = vi.fn();
    const user = newUser();
    render(<Clearing onConfirm={onConfirm} busy={busy} />);
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    return { user, onConfirm, dialog: screen.getByRole('alertdialog') };
  }

  it('says what will happen', async () => {
    const { dialog } = await open();
    expect(dialog).toHaveAccessibleName('Clear all views?');
    expect(dialog).toHaveAccessibleDescription('12 views will be deleted.');
  });

  it('does nothing until the word is typed', async () => {
    const { user, onConfirm } = await open();
    await user.click(screen.getByRole('button', { name: 'Clear 12 views' }));
    const field = screen.getByLabelText('Type CLEAR to confirm');
    expect(field).toHaveFocus();
    expect(field).toHaveAccessibleDescription('Type CLEAR in capital letters.');
    expect(onConfirm).not.toHaveBeenCalled();
    await user.type(field, 'CLEAR{Enter}');
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('can be left, and gives the focus back', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Clear' })).toHaveFocus();
  });

  it('neither acts again nor closes while the act is under way', async () => {
    const { user, onConfirm } = await open(true);
    await user.type(screen.getByLabelText('Type CLEAR to confirm'), 'CLEAR{Enter}');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onConfirm).not.toHaveBeenCalled();
    expect(screen.getByRole('alertdialog')).toBeInTheDocument();
  });
});

function ThreePages({ onChange }: { onChange: (offset: number) => void }) {
  const [offset, setOffset] = useState(0);
  const open = (next: number) => {
    onChange(next);
    setOffset(next);
  };
  return <Pagination label="entries" total={120} limit={50} offset={offset} onChange={open} />;
}

describe('pages of a list', () => {
  it('say which rows are shown, and lead to the others', async () => {
    const onChange = vi.fn();
    render(<Pagination label="entries" total={120} limit={50} offset={50} onChange={onChange} />);
    expect(screen.getByText('51–100 of 120 entries')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Previous page' }));
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    expect(onChange.mock.calls).toEqual([[0], [100]]);
  });

  it('end at the last row', () => {
    render(<Pagination label="entries" total={120} limit={50} offset={100} onChange={vi.fn()} />);
    expect(screen.getByText('101–120 of 120 entries')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Next page' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
  });

  it('keep the focus on a button that leads no further, which does nothing', async () => {
    const user = newUser();
    const onChange = vi.fn();
    render(<ThreePages onChange={onChange} />);
    const next = screen.getByRole('button', { name: 'Next page' });
    await user.click(next);
    await user.keyboard('{Enter}');
    expect(screen.getByText('101–120 of 120 entries')).toBeInTheDocument();
    expect(next).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  it('have no buttons when one page holds all', () => {
    render(<Pagination label="entries" total={3} limit={50} offset={0} onChange={vi.fn()} />);
    expect(screen.getByText('1–3 of 3 entries')).toBeInTheDocument();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });
});

describe('a date field', () => {
  it('waits for the whole year', async () => {
    const onChange = vi.fn();
    render(<DateField label="Start date" value="2026-11-01" onChange={onChange} />);
    const field = screen.getByLabelText('Start date');
    await userEvent.clear(field);
    await userEvent.type(field, '0202-11-21');
    expect(field).toHaveValue('0202-11-21');
    await userEvent.clear(field);
    await userEvent.type(field, '2026-11-21');
    expect(new Set(onChange.mock.calls.flat())).toEqual(new Set(['', '2026-11-21']));
  });
});

describe('a query', () => {
  const show = (query: Partial<QueryResult<string>>) => {
    const refetch = vi.fn();
    render(
      <QueryView query={{ isFetching: false, refetch, ...query }}>
        {(data) => <p>{data}</p>}
      </QueryView>,
    );
    return refetch;
  };

  it('on its way keeps its place', () => {
    show({ isFetching: true });
    expect(screen.getByRole('status')).toHaveTextContent('Loading...');
  });

  it('that failed says why and can be tried again', async () => {
    const refetch = show({
      error: { status: 500, sentence: 'It broke.' },
      data: 'of other filters',
    });
    expect(screen.getByRole('alert')).toHaveTextContent('It broke.');
    expect(screen.queryByText('of other filters')).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalledOnce();
  });

  it('keeps what was there when fetching it again failed', () => {
    const error = { status: 500, sentence: 'It broke.' };
    show({ data: 'old', currentData: 'old', error });
    expect(screen.getByText('old')).toBeInTheDocument();
    expect(screen.getByText(/could not be refreshed. It broke./)).toBeInTheDocument();
  });

  it('marks the answer to another question as such until its own is there', () => {
    show({ data: 'of other filters', isFetching: true });
    expect(screen.getByText('of other filters').parentElement).toHaveAttribute('aria-busy', 'true');
  });
});
