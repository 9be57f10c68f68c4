import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FlaggedUserView } from '../../api/admin';
import { aFlaggedUser } from '../../../testing/console/builders';
import { adminCall, never } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { TAB, flagged, flaggedAre } from '../../../testing/console/security';
import { saveFile } from '../../lib/saveFile';

vi.mock('../../lib/saveFile');

const VIEW = `${TAB}&view=flagged`;
const CALL = '/api/admin/flagged-users';
const FIRST = '?sort=flaggedAt&order=desc&limit=25&offset=0';

let asked: string[];
beforeEach(() => (asked = []));

/** Answers pages of 25 of these. */
const listing = (all: () => FlaggedUserView[]) =>
  http.get(`*${CALL}`, ({ request }) => {
    const { search, searchParams } = new URL(request.url);
    asked.push(search);
    const offset = Number(searchParams.get('offset'));
    return HttpResponse.json(
      { flaggedUsers: all().slice(offset, offset + 25) },
      { headers: { 'X-Total-Count': String(all().length) } },
    );
  });

const users = (count: number) =>
  Array.from({ length: count }, (_, id) =>
    aFlaggedUser({ id, phoneNumber: `+155512345${10 + id}` }),
  );

const list = async () => within(await part('All Flagged Users'));
const header = (name: string) =>
  within(screen.getByRole('columnheader', { name })).getByRole('button');
const back = () => screen.findByRole('link', { name: 'Back to Security' });

describe('all flagged users', () => {
  it('open from the short list, have an address, and lead back', async () => {
    server.use(listing(() => users(30)));
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('link', { name: 'Show all flagged users' }));
    expect(location.search).toBe(VIEW);
    await waitFor(async () => expect(await back()).toHaveFocus());
    await waitFor(async () => expect(rowsOf(await flagged())).toHaveLength(25));
    expect(screen.queryByRole('region', { name: 'Suspicious Activity' })).not.toBeInTheDocument();
    await user.click(await back());
    expect(location.search).toBe(TAB);
    expect(await screen.findByRole('link', { name: 'Show all flagged users' })).toBeInTheDocument();
    await waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it('lead back without the order and the filters of the list', async () => {
    server.use(listing(() => users(60)));
    const rest = '&sort=createdAt&order=asc&offset=25&landingPage=fresh-sips&search=four';
    const { user } = renderAdmin(`${VIEW}&suspicious.sort=status${rest}`);
    await user.click(await back());
    expect(location.search).toBe(`${TAB}&suspicious.sort=status`);
  });

  it('are unflagged from the eleventh and from later pages too', async () => {
    let all = users(26);
    const sent: unknown[] = [];
    server.use(
      listing(() => all),
      adminCall('post', 'unflag-user', async (request) => {
        sent.push(await request.json());
        all = all.slice(0, 25);
        return { success: true };
      }),
    );
    const { user } = renderAdmin(VIEW);
    expect(await screen.findByRole('button', { name: 'Unflag ***-***-4520' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(location.search).toBe(`${VIEW}&offset=25`);
    await user.click(await screen.findByRole('button', { name: 'Unflag ***-***-4535' }));
    await user.type(await screen.findByLabelText('Reason'), 'A family{Enter}');
    expect(await toast()).toHaveTextContent('User unflagged');
    expect(sent).toEqual([{ userId: 25, reason: 'A family' }]);
    await user.click(await screen.findByRole('button', { name: 'Show the first page' }));
    await waitFor(async () => expect(rowsOf(await flagged())).toHaveLength(25));
    const region = await part('All Flagged Users');
    await waitFor(() => expect(region).toContainElement(document.activeElement as HTMLElement));
  });

  it('are sorted, filtered, searched and exported by the server', async () => {
    server.use(
      listing(() => users(2)), // a single one is not sorted
      http.get(`*${CALL}/export`, ({ request }) => {
        asked.push(new URL(request.url).search);
        return HttpResponse.text('id\n7\n', { headers: { 'Content-Type': 'text/csv' } });
      }),
    );
    const { user } = renderAdmin(VIEW);
    await flagged();
    await user.click(header('Total entries'));
    await user.click(header('Total entries'));
    await user.click(header('Registered'));
    await user.click(header('Flagged'));
    await user.selectOptions((await list()).getByLabelText('Landing page'), 'fresh-sips');
    await user.type((await list()).getByLabelText(/^Find a number/), '4');
    await waitFor(() => expect(asked).toHaveLength(6));
    expect(location.search).toBe(`${VIEW}&landingPage=fresh-sips&search=4`);
    await user.click((await list()).getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
    const [name, text] = vi.mocked(saveFile).mock.calls[0]!;
    expect(name).toMatch(/^tombola-flagged-users-\d{4}-\d\d-\d\d\.csv$/);
    expect(text).toBe('id\n7\n');
    expect(asked).toEqual([
      FIRST,
      '?sort=totalEntries&order=desc&limit=25&offset=0',
      '?sort=totalEntries&order=asc&limit=25&offset=0',
      '?sort=createdAt&order=desc&limit=25&offset=0',
      '?landingPage=fresh-sips&sort=flaggedAt&order=desc&limit=25&offset=0',
      '?search=4&landingPage=fresh-sips&sort=flaggedAt&order=desc&limit=25&offset=0',
      '?landingPage=fresh-sips&search=4',
    ]);
  });

  it('say when none matches, and when there is none', async () => {
    server.use(flaggedAre([]));
    const { user } = renderAdmin(`${VIEW}&landingPage=fresh-sips&search=four`);
    const region = await list();
    expect(await region.findByText('Nothing matches')).toBeInTheDocument();
    expect(region.getByLabelText(/^Find a number/)).toHaveValue('four');
    await user.click(region.getByRole('button', { name: 'Clear filters' }));
    expect(await region.findByText('No flagged users')).toBeInTheDocument();
    expect(location.search).toBe(VIEW);
  });

  it('show a loading state, and can be fetched again after a failure', async () => {
    server.use(http.get(`*${CALL}`, never));
    const { unmount } = renderAdmin(VIEW);
    expect(await (await list()).findByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing(CALL, 500, { error: 'Broken' }));
    const { user } = renderAdmin(VIEW);
    const retry = await (await list()).findByRole('button', { name: 'Try again' });
    server.use(flaggedAre([aFlaggedUser()]));
    await user.click(retry);
    expect(await flagged()).toBeInTheDocument();
  });
});
