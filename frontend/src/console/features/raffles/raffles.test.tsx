import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { statsAre } from '../../../testing/console/drawing';
import { adminCall } from '../../../testing/console/handlers';
import { aRaffleCard, aRaffleFile, cardsAre, fileIs } from '../../../testing/console/raffles';
import { renderAdmin } from '../../../testing/console/renderConsole';
import { server } from '../../../testing/server';
import type { RaffleView } from '../../api/raffles';

const RAFFLES = '?section=raffles';
const next = '2026-12-01T05:00:00Z';

interface Sent {
  call: string;
  body: unknown;
}

const sent: Sent[] = [];

const answers = (call: 'open' | 'close', body: object = {}, status = 200) =>
  http.post(`*/api/admin/raffles/:landingPage/${call}`, async ({ request, params }) => {
    sent.push({ call: `${String(params.landingPage)} ${call}`, body: await request.json() });
    return HttpResponse.json(body, { status });
  });

beforeEach(() => {
  sent.length = 0;
  server.use(statsAre());
});

async function choose(name: string) {
  const { user } = renderAdmin(RAFFLES);
  await user.click(await screen.findByRole('button', { name }));
  return { user, dialog: await screen.findByRole('alertdialog') };
}

const four = (bag: Partial<RaffleView> = {}, sips: Partial<RaffleView> = {}) =>
  cardsAre(
    aRaffleCard(bag),
    aRaffleCard({ landingPage: 'fresh-sips', name: 'Fresh Sips Mixology Kit', ...sips }),
  );

describe('raffles', () => {
  it('are cards with what is to come', async () => {
    server.use(
      four(
        { nextStatus: 'closed', nextAt: next, isDefault: true, drawsAt: '2027-01-01T17:00:00Z' },
        {
          status: 'draft',
          name: '',
          version: null,
        },
      ),
    );
    renderAdmin(RAFFLES);
    const [first, second] = await screen
      .findAllByRole('listitem', { name: '' })
      .then((items) => items.filter((item) => item.classList.contains('raffle-card')));
    await waitFor(() =>
      expect(first).toHaveTextContent(
        /Garden Bag Essentials.*Open Closes .*Entrants1,204Sign-ups this month\d+Entries3,456Next drawingJan 1, 2027/,
      ),
    );
    expect(first).toHaveTextContent('Who names no raffle enters this one.');
    expect(within(first!).getByRole('link', { name: /^\/garden-bag/ })).toBeVisible();
    expect(within(first!).queryByRole('button', { name: /^Delete/ })).not.toBeInTheDocument();
    expect(second).toHaveTextContent(/fresh-sips.*Draft.*Next drawingNot announced/);
    expect(within(second!).queryByRole('link', { name: /^\/fresh-sips/ })).not.toBeInTheDocument();
  });

  it('say what waits and what is not published', async () => {
    server.use(four({ hasChanges: true, waitingVersion: { number: 3, takesEffectAt: next } }));
    renderAdmin(RAFFLES);
    expect(await screen.findByText('The draft has changes that are not published.')).toBeVisible();
    expect(screen.getByText(/^Version 3 takes effect Dec 1, 2026/)).toBeVisible();
  });

  it('are put in another order', async () => {
    server.use(
      four(),
      adminCall('put', 'raffles/order', async (request) => {
        sent.push({ call: 'order', body: await request.json() });
        return {};
      }),
    );
    const { user } = renderAdmin(RAFFLES);
    await user.click(
      await screen.findByRole('button', { name: 'Move down Garden Bag Essentials' }),
    );
    await waitFor(() =>
      expect(sent).toEqual([
        { call: 'order', body: { landingPages: ['fresh-sips', 'garden-bag'] } },
      ]),
    );
  });

  it('begin as a copy or from nothing', async () => {
    const made = (call: string) => async (request: Request) => {
      sent.push({ call, body: await request.json() });
      return aRaffleFile();
    };
    server.use(
      four(),
      fileIs(aRaffleFile()),
      adminCall('post', 'raffles', made('create')),
      adminCall('post', 'raffles/garden-bag/copy', made('copy')),
    );
    const { user } = renderAdmin(RAFFLES);
    await user.click(await screen.findByRole('button', { name: 'New raffle' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New raffle' }));
    await user.type(dialog.getByLabelText('Address'), 'Tea');
    await user.click(dialog.getByRole('button', { name: 'Make the draft' }));
    expect(await dialog.findByText(/^Enter 3 to 40 of a-z/)).toBeVisible();
    expect(sent).toEqual([]);
    await user.clear(dialog.getByLabelText('Address'));
    await user.type(dialog.getByLabelText('Address'), 'tea-set');
    await user.click(dialog.getByRole('button', { name: 'Make the draft' }));
    expect(await screen.findByRole('button', { name: 'Save draft' })).toBeVisible();
    expect(location.search).toContain('view=tea-set');
    await user.click(screen.getByRole('link', { name: 'Back to all raffles' }));
    await user.click(await screen.findByRole('button', { name: 'Copy Garden Bag Essentials' }));
    const copying = within(await screen.findByRole('dialog', { name: 'New raffle' }));
    expect(copying.getByLabelText('Begin with')).toHaveValue('garden-bag');
    await user.type(copying.getByLabelText('Address'), 'bag-2');
    await user.click(copying.getByRole('button', { name: 'Make the draft' }));
    await waitFor(() => expect(location.search).toContain('view=bag-2'));
    expect(sent).toEqual([
      { call: 'create', body: { landingPage: 'tea-set' } },
      { call: 'copy', body: { newKey: 'bag-2' } },
    ]);
  });

  it('are deleted while they are drafts', async () => {
    server.use(
      four({}, { status: 'draft' }),
      http.delete('*/api/admin/raffles/fresh-sips', () => {
        sent.push({ call: 'delete', body: undefined });
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = renderAdmin(RAFFLES);
    await user.click(await screen.findByRole('button', { name: /^Delete/ }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(sent).toEqual([{ call: 'delete', body: undefined }]);
  });

  it('close when the month ends, or at once with a reason', async () => {
    server.use(four(), answers('close'));
    const { user, dialog } = await choose('Close Garden Bag Essentials');
    await user.click(within(dialog).getByRole('radio', { name: 'At once' }));
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(await within(dialog).findByText('Enter 3 to 500 characters.')).toBeVisible();
    expect(sent).toEqual([]);
    await user.type(within(dialog).getByLabelText('Reason'), 'The prize is gone');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('Raffle closed')).toBeVisible();
    expect(sent).toEqual([
      { call: 'garden-bag close', body: { now: true, reason: 'The prize is gone' } },
    ]);
  });

  it('close with the month without a reason', async () => {
    server.use(four(), answers('close'));
    const { user, dialog } = await choose('Close Garden Bag Essentials');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('Closes when the month ends')).toBeVisible();
    expect(sent).toEqual([{ call: 'garden-bag close', body: {} }]);
  });

  it('open at once or with the month', async () => {
    server.use(four({}, { status: 'closed' }), answers('open'));
    const { user, dialog } = await choose('Open Fresh Sips Mixology Kit');
    await user.click(within(dialog).getByRole('radio', { name: 'When the next month begins' }));
    await user.click(within(dialog).getByRole('button', { name: 'Open' }));
    expect(await screen.findByText('Opens when the month begins')).toBeVisible();
    expect(sent).toEqual([{ call: 'fresh-sips open', body: { at: 'month' } }]);
  });

  it('stay as they are when that is taken back', async () => {
    server.use(four({ nextStatus: 'closed', nextAt: next }), answers('open'));
    const { user, dialog } = await choose('Keep open Garden Bag Essentials');
    await user.click(within(dialog).getByRole('button', { name: 'Keep open' }));
    expect(await screen.findByText('Stays open')).toBeVisible();
    expect(sent).toEqual([{ call: 'garden-bag open', body: {} }]);
  });

  it('wait for a second person', async () => {
    const proposed = { approvalId: 3, expiresAt: next };
    server.use(four(), answers('close', proposed, 202));
    const { user, dialog } = await choose('Close Garden Bag Essentials');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText(/somebody else/i)).toBeVisible();
  });
});
