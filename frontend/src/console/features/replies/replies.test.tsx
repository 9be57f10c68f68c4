import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PermissionView } from '../../api/me';
import type { ReplyView } from '../../api/sms';
import { adminCall, held, never } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { aReply } from '../../../testing/console/smsBuilders';
import { aMe, permissionsOf } from '../../../testing/console/staff';
import { refusing, server } from '../../../testing/server';

const TAB = '?section=sms&tab=replies';
const CALL = '/api/admin/sms/replies';

let asked: string[];
beforeEach(() => (asked = []));

const listing = (replies: ReplyView[], total = replies.length) =>
  adminCall(
    'get',
    'sms/replies',
    (request) => {
      asked.push(new URL(request.url).search);
      return { replies };
    },
    { 'X-Total-Count': String(total) },
  );

const unclear = (changes: Partial<ReplyView> = {}) =>
  aReply({ id: 2, body: 'Do not stop now', isUnclear: true, ...changes });

/** Whoever is signed in may do all that support may, but for this. */
const withoutPermission = (left: PermissionView) =>
  adminCall('get', 'me', () =>
    aMe({ role: 'support', permissions: permissionsOf('support').filter((one) => one !== left) }),
  );

const table = () => screen.findByRole('table', { name: /^Who replied/ });

describe('the replies', () => {
  it('are listed with their senders, and only the last digits of their numbers', async () => {
    const stop = aReply({
      id: 2,
      phoneNumber: '+15559876543',
      userId: null,
      body: 'STOP',
      keyword: 'stop',
    });
    server.use(listing([aReply(), stop, aReply({ id: 1, body: '' })]));
    renderAdmin(TAB);
    const rows = rowsOf(await table()).map((row) => row.slice(0, 3));
    expect(rows).toEqual([
      ['***-***-4567', 'User 12', 'When is the drawing?'],
      ['***-***-6543', 'None', 'STOPOpted out'],
      ['***-***-4567', 'User 12', 'No text'],
    ]);
  });

  it('are filtered, searched and paged by the server', async () => {
    server.use(listing([aReply()], 60));
    const { user } = renderAdmin(TAB);
    await table();
    await user.click(await screen.findByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(asked).toContain('?limit=25&offset=25'));
    await user.selectOptions(screen.getByLabelText('Kind'), 'message');
    await waitFor(() => expect(asked).toContain('?kind=message&limit=25&offset=0'));
    await user.selectOptions(screen.getByLabelText('Kind'), 'Unclear');
    await waitFor(() => expect(asked).toContain('?kind=unclear&limit=25&offset=0'));
    await user.type(screen.getByLabelText('Find a text or number'), '4');
    await waitFor(() => expect(asked).toContain('?search=4&kind=unclear&limit=25&offset=0'));
  });

  it('may be none', async () => {
    server.use(listing([]));
    renderAdmin(TAB);
    expect(await screen.findByText('No replies yet')).toBeInTheDocument();
  });

  it('show a loading state, and can be fetched again after a failure', async () => {
    server.use(http.get(`*${CALL}`, never));
    const { unmount } = renderAdmin(TAB);
    expect(await within(await part('Replies')).findByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing(CALL, 500, { error: 'Broken' }));
    const { user } = renderAdmin(TAB);
    const retry = await within(await part('Replies')).findByRole('button', { name: 'Try again' });
    server.use(listing([aReply()]));
    await user.click(retry);
    expect(await table()).toBeInTheDocument();
  });
});

describe('an unclear reply', () => {
  const stop = { name: 'Stop texts to ***-***-4567' };
  const leave = { name: 'Leave as it is the reply of ***-***-4567' };

  /** The list, and what was decided of its unclear reply. */
  function open(decided: ReplyView) {
    let rows = [unclear(), aReply()];
    const sent: unknown[] = [];
    server.use(
      adminCall('get', 'sms/replies', () => ({ replies: rows })),
      adminCall('post', 'sms/replies/2/decision', async (request) => {
        sent.push(await request.json());
        rows = [aReply(), decided];
        return decided;
      }),
    );
    return { ...renderAdmin(TAB), sent };
  }

  it('is marked, stands where the server puts it, and is explained', async () => {
    open(unclear());
    expect(rowsOf(await table()).map((row) => row.slice(2))).toEqual([
      [
        'Do not stop nowUnclear',
        'Nov 21, 2026, 10:00 AM',
        'Stop texts to ***-***-4567Leave as it is the reply of ***-***-4567',
      ],
      ['When is the drawing?', 'Nov 21, 2026, 10:00 AM', ''],
    ]);
    expect(await part('Replies')).toHaveTextContent('Unclear replies stand on top');
    const header = screen.getByRole('columnheader', { name: 'Text' });
    expect(header).toHaveAccessibleDescription(/texts go on until somebody decides/);
  });

  it.each([
    { pressed: stop, optsOut: true, badge: 'Opted out', said: 'This number gets no more texts' },
    { pressed: leave, optsOut: false, badge: '', said: 'The reply stays as it is' },
  ])('is decided with one press: $pressed.name', async ({ pressed, optsOut, badge, said }) => {
    const decided = unclear({ isUnclear: false, keyword: optsOut ? 'stop' : null });
    const { user, sent } = open(decided);
    await user.dblClick(await screen.findByRole('button', pressed));
    expect(await toast()).toHaveTextContent(said);
    await waitFor(() => expect(screen.queryByRole('button', stop)).not.toBeInTheDocument());
    expect(rowsOf(await table()).map((row) => row[2])).toEqual([
      'When is the drawing?',
      `Do not stop now${badge}`,
    ]);
    expect(sent).toEqual([{ optsOut }]);
    expect(await part('Replies')).toContainElement(document.activeElement as HTMLElement);
  });

  it('is busy while it is decided, and until the list is there again', async () => {
    const answer = held();
    const again = held();
    let calls = 0;
    const { user } = open(unclear());
    await screen.findByRole('button', stop);
    server.use(
      adminCall('post', 'sms/replies/2/decision', async () => {
        calls += 1;
        await answer.answered;
        return unclear({ isUnclear: false });
      }),
      adminCall('get', 'sms/replies', async () => {
        await again.answered;
        return { replies: [] };
      }),
    );
    await user.click(screen.getByRole('button', stop));
    const isBusy = () =>
      [stop, leave].map((one) => screen.getByRole('button', one).getAttribute('aria-disabled'));
    expect(isBusy()).toEqual(['true', 'true']);
    await user.click(screen.getByRole('button', leave));
    answer.release();
    await toast();
    expect(isBusy()).toEqual(['true', 'true']);
    await user.click(screen.getByRole('button', leave));
    expect(calls).toBe(1);
    again.release();
    expect(await screen.findByText('No replies yet')).toBeInTheDocument();
  });

  it('says beside its buttons why it could not be decided, and can be decided again', async () => {
    const { user, sent } = open(unclear({ isUnclear: false, keyword: 'stop' }));
    server.use(
      http.post(
        '*/api/admin/sms/replies/2/decision',
        () => HttpResponse.json({ error: 'Broken', code: 'internal' }, { status: 500 }),
        { once: true },
      ),
    );
    await user.click(await screen.findByRole('button', stop));
    const row = within(await table()).getByRole('row', { name: /Do not stop now/ });
    expect(await within(row).findByText('Broken')).toHaveAttribute('role', 'status');
    await user.click(within(row).getByRole('button', stop));
    expect(await toast()).toHaveTextContent('This number gets no more texts');
    expect(sent).toEqual([{ optsOut: true }]);
  });

  it.each([
    { status: 409, code: 'reply_decided', error: 'Somebody decided this reply before.' },
    { status: 404, code: 'not_found', error: 'There is no such reply.' },
  ])('says in a toast that it needs no decision any more: $code', async ({ status, ...body }) => {
    let rows = [unclear()];
    server.use(
      adminCall('get', 'sms/replies', () => ({ replies: rows })),
      http.post('*/api/admin/sms/replies/2/decision', () => {
        rows = [];
        return HttpResponse.json(body, { status });
      }),
    );
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', leave));
    expect(await toast()).toHaveTextContent(body.error);
    expect(await screen.findByText('No replies yet')).toBeInTheDocument();
  });

  it('has no buttons for those who may not change people', async () => {
    server.use(withoutPermission('edit_people'), listing([unclear()]));
    renderAdmin(TAB);
    expect(await table()).toHaveTextContent('Unclear');
    expect(screen.queryByRole('button', { name: /Stop texts|Leave/ })).not.toBeInTheDocument();
  });
});

describe('stopping texts to a number', () => {
  const CALL = '/api/admin/sms/opt-outs';

  async function open() {
    const sent: unknown[] = [];
    server.use(
      listing([aReply()]),
      adminCall('post', 'sms/opt-outs', async (request) => {
        sent.push(await request.json());
        return {};
      }),
    );
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Stop texts to a number' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Stop texts to a number?' });
    const phone = within(dialog).getByLabelText('Phone number');
    const reason = within(dialog).getByLabelText('Reason');
    const confirm = within(dialog).getByRole('button', { name: 'Stop texts' });
    return { user, sent, dialog, phone, reason, confirm };
  }

  it('takes the number and the reason, says what lifts it, and fetches the list again', async () => {
    const { user, sent, dialog, phone, reason, confirm } = await open();
    expect(dialog).toHaveAccessibleDescription(/start again only when this number texts START/);
    await user.type(phone, ' (212) 555-0161 ');
    await user.type(reason, '  Called us  ');
    asked = [];
    await user.dblClick(confirm);
    expect(await toast()).toHaveTextContent('This number gets no more texts');
    expect(dialog).not.toBeInTheDocument();
    expect(sent).toEqual([{ phoneNumber: '(212) 555-0161', reason: 'Called us' }]);
    await waitFor(() => expect(asked).toHaveLength(1));
  });

  it('sends nothing without a number and a reason', async () => {
    const { user, sent, dialog, phone, reason, confirm } = await open();
    await user.type(phone, '12');
    await user.click(confirm);
    await waitFor(() =>
      expect(phone).toHaveAccessibleDescription(/Please enter a valid phone number/),
    );
    expect(phone).toHaveFocus();
    expect(reason).toHaveAccessibleDescription(/Enter a reason/);
    await user.type(reason, 'No');
    expect(reason).toHaveAccessibleDescription(/Must have 3 to 500 characters/);
    expect(sent).toEqual([]);
    expect(dialog).toBeInTheDocument();
  });

  it('says why it failed, and keeps what was typed', async () => {
    const { user, dialog, phone, reason, confirm } = await open();
    const error = 'This number gets no texts already.';
    server.use(refusing(CALL, 409, { error, code: 'opted_out' }));
    await user.type(phone, '2125550161');
    await user.type(reason, 'Called us');
    await user.click(confirm);
    expect(await within(dialog).findByText(error)).toHaveAttribute('role', 'alert');
    expect(phone).toHaveValue('2125550161');
    expect(reason).toHaveValue('Called us');
  });

  it('puts the words of the server at the fields', async () => {
    const { user, phone, reason, confirm } = await open();
    const fields = { phoneNumber: ['No such number'], reason: ['Too short'] };
    server.use(refusing(CALL, 400, { error: 'No', code: 'validation', fields }));
    await user.type(phone, '2125550161');
    await user.type(reason, 'Called us');
    await user.click(confirm);
    await waitFor(() => expect(phone).toHaveAccessibleDescription(/No such number/));
    expect(reason).toHaveAccessibleDescription(/Too short/);
  });

  it('is not offered to those who may not change people', async () => {
    server.use(withoutPermission('edit_people'), listing([aReply()]));
    renderAdmin(TAB);
    await table();
    expect(screen.queryByRole('button', { name: /Stop texts/ })).not.toBeInTheDocument();
  });
});
