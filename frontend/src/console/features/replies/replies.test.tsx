import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReplyView } from '../../api/sms';
import { adminCall, never } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

const TAB = '?section=sms&tab=replies';
const CALL = '/api/admin/sms/replies';

const aReply = (changes: Partial<ReplyView> = {}): ReplyView => ({
  id: 3,
  phoneNumber: '+15551234567',
  userId: 12,
  body: 'When is the drawing?',
  keyword: null,
  createdAt: '2026-11-21T15:00:00Z',
  ...changes,
});

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
    await user.type(screen.getByLabelText('Find a text or number'), '4');
    await waitFor(() => expect(asked).toContain('?search=4&kind=message&limit=25&offset=0'));
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
