import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { AppealView } from '../../api/admin';
import { adminCall, never } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { TAB, anAppeal, appealsAre, flaggedAre } from '../../../testing/console/security';
import { refusing, server } from '../../../testing/server';

const table = () => screen.findByRole('table', { name: /What flagged users wrote/ });

function renderWith(rows: AppealView[] | (() => AppealView[]), search = TAB) {
  server.use(flaggedAre([]), appealsAre(rows));
  return renderAdmin(search);
}

describe('the appeals', () => {
  it('say who wrote what, why they are flagged, and how many are open', async () => {
    renderWith([
      anAppeal(),
      anAppeal({
        id: 3,
        status: 'rejected',
        decidedAt: '2026-11-22T15:00:00Z',
        note: 'All from one phone',
        evidence: [],
        reason: 'Ten accounts',
      }),
    ]);
    const rows = rowsOf(await table()).map((row) => row.slice(0, -1));
    expect(rows).toEqual([
      [
        '***-***-4567 ',
        'Garden Bag Essentials',
        '3',
        '4 accounts on one network',
        'We are four people in one house.',
        'Nov 21, 2026, 10:00 AM',
        'Open',
      ],
      [
        '***-***-4567 ',
        'Garden Bag Essentials',
        '3',
        'Ten accounts',
        'We are four people in one house.',
        'Nov 21, 2026, 10:00 AM',
        'RejectedNov 22, 2026, 10:00 AMAll from one phone',
      ],
    ]);
    expect(await part('Appeals')).toHaveTextContent('1 open');
    expect(screen.getAllByRole('button', { name: /the appeal of/ })).toHaveLength(2);
  });

  it('say when an open one is of somebody who is not flagged any more', async () => {
    renderWith([anAppeal({ user: { ...anAppeal().user, isFlagged: false } })]);
    expect(await table()).toHaveTextContent('Not flagged any more');
  });

  it('say what will appear when there are none', async () => {
    renderWith([]);
    expect(await screen.findByText('No appeals')).toBeInTheDocument();
    expect(await part('Appeals')).not.toHaveTextContent(/\d open/);
  });

  it('load, fail, and are asked for again', async () => {
    server.use(flaggedAre([]), refusing('/api/admin/fraud/appeals', 503, { error: 'No' }));
    const { user } = renderAdmin(TAB);
    const card = within(await part('Appeals'));
    await user.click(await card.findByRole('button', { name: 'Try again' }));
    server.use(appealsAre([anAppeal()]));
    await user.click(await card.findByRole('button', { name: 'Try again' }));
    expect(await table()).toBeInTheDocument();
  });

  it('keep their place while they load', async () => {
    server.use(flaggedAre([]), http.get('*/api/admin/fraud/appeals', never));
    renderAdmin(TAB);
    expect(await within(await part('Appeals')).findByText('Loading...')).toBeInTheDocument();
  });

  it('are filtered by status, which stands in the address', async () => {
    const { user } = renderWith([
      anAppeal(),
      anAppeal({ id: 3, status: 'accepted', message: 'Thank you for looking.' }),
    ]);
    await table();
    await user.selectOptions(screen.getByLabelText('Appeal status'), 'Accepted');
    await waitFor(async () => expect(rowsOf(await table())).toHaveLength(1));
    expect(await table()).toHaveTextContent('Thank you for looking.');
    expect(location.search).toContain('appeals.status=accepted');
  });

  it('read the status from the address', async () => {
    const { user } = renderWith([anAppeal()], `${TAB}&appeals.status=rejected`);
    expect(await screen.findByText('Nothing matches')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await table()).toBeInTheDocument();
  });
});

describe('deciding an appeal', () => {
  async function open(act: 'Accept' | 'Reject') {
    let rows = [anAppeal()];
    const sent: unknown[] = [];
    const { user } = renderWith(() => rows);
    server.use(
      adminCall('post', 'fraud/appeals/4/decide', async (request) => {
        sent.push(await request.json());
        rows = [anAppeal({ status: act === 'Accept' ? 'accepted' : 'rejected' })];
        return rows[0]!;
      }),
    );
    const name = `${act} the appeal of ***-***-4567`;
    await user.click(await screen.findByRole('button', { name }));
    const dialog = screen.getByRole('alertdialog', { name: `${name}?` });
    const confirm = within(dialog).getByRole('button', { name: act });
    return { user, sent, dialog, confirm, note: within(dialog).getByLabelText('Note') };
  }

  it('accepts it once, with or without a note, and tells what it means', async () => {
    const { user, sent, dialog, confirm } = await open('Accept');
    expect(dialog).toHaveAccessibleDescription(/takes part in the drawings of Garden Bag/);
    expect(dialog).toHaveTextContent('We are four people in one house.');
    await user.dblClick(confirm);
    expect(await toast()).toHaveTextContent('Appeal accepted');
    expect(dialog).not.toBeInTheDocument();
    expect(sent).toEqual([{ decision: 'accept' }]);
    await waitFor(async () => expect(await table()).toHaveTextContent('Accepted'));
  });

  it('rejects it only with a note', async () => {
    const { user, sent, confirm, note } = await open('Reject');
    await user.click(confirm);
    await waitFor(() => expect(note).toHaveAccessibleDescription(/Enter a note/));
    expect(note).toHaveFocus();
    expect(sent).toEqual([]);
    await user.type(note, ' All from one phone ');
    await user.click(confirm);
    expect(await toast()).toHaveTextContent('Appeal rejected');
    expect(sent).toEqual([{ decision: 'reject', note: 'All from one phone' }]);
  });

  it('asks before a note is lost', async () => {
    const { user, dialog, note } = await open('Reject');
    await user.type(note, 'All');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('alertdialog', { name: /Discard/ })).toBeInTheDocument();
    expect(note).toHaveValue('All');
  });

  it('keeps the dialog when somebody else has decided it, and shows the list of now', async () => {
    const { user, dialog, confirm, note } = await open('Reject');
    const error = 'This appeal has been decided already. Please reload the list.';
    server.use(
      refusing('/api/admin/fraud/appeals/4/decide', 409, { error, code: 'appeal_decided' }),
      appealsAre([anAppeal({ status: 'accepted' })]),
    );
    await user.type(note, 'All from one phone');
    await user.click(confirm);
    expect(await within(dialog).findByText(error)).toHaveAttribute('role', 'alert');
    expect(note).toHaveValue('All from one phone');
    await waitFor(() =>
      expect(document.querySelector('table[role=table] .badge')).toHaveTextContent('Accepted'),
    );
  });
});
