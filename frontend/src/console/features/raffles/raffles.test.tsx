import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { rafflesAre } from '../../../testing/console/drawing';
import { renderAdmin } from '../../../testing/console/renderConsole';
import { server } from '../../../testing/server';

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
});

async function choose(name: string) {
  const { user } = renderAdmin(RAFFLES);
  await user.click(await screen.findByRole('button', { name }));
  return { user, dialog: await screen.findByRole('alertdialog') };
}

describe('raffles', () => {
  it('are listed with what is to come', async () => {
    server.use(
      rafflesAre({
        'garden-bag': { nextStatus: 'closed', nextAt: next },
        'fresh-sips': { status: 'closed' },
      }),
    );
    renderAdmin(RAFFLES);
    const table = await screen.findByRole('table', { name: 'Raffles' });
    const [, first, second] = within(table).getAllByRole('row');
    expect(first).toHaveTextContent(/Garden Bag Essentials.*Open Closes .*Keep open/);
    expect(second).toHaveTextContent(/Fresh Sips Mixology Kit.*Closed.*Open/);
  });

  it('close when the month ends, or at once with a reason', async () => {
    server.use(rafflesAre(), answers('close'));
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
    server.use(rafflesAre(), answers('close'));
    const { user, dialog } = await choose('Close Garden Bag Essentials');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('Closes when the month ends')).toBeVisible();
    expect(sent).toEqual([{ call: 'garden-bag close', body: {} }]);
  });

  it('open at once or with the month', async () => {
    server.use(rafflesAre({ 'fresh-sips': { status: 'closed' } }), answers('open'));
    const { user, dialog } = await choose('Open Fresh Sips Mixology Kit');
    await user.click(within(dialog).getByRole('radio', { name: 'When the next month begins' }));
    await user.click(within(dialog).getByRole('button', { name: 'Open' }));
    expect(await screen.findByText('Opens when the month begins')).toBeVisible();
    expect(sent).toEqual([{ call: 'fresh-sips open', body: { at: 'month' } }]);
  });

  it('stay as they are when that is taken back', async () => {
    server.use(
      rafflesAre({ 'garden-bag': { nextStatus: 'closed', nextAt: next } }),
      answers('open'),
    );
    const { user, dialog } = await choose('Keep open Garden Bag Essentials');
    await user.click(within(dialog).getByRole('button', { name: 'Keep open' }));
    expect(await screen.findByText('Stays open')).toBeVisible();
    expect(sent).toEqual([{ call: 'garden-bag open', body: {} }]);
  });

  it('wait for a second person', async () => {
    const proposed = { approvalId: 3, expiresAt: next };
    server.use(rafflesAre(), answers('close', proposed, 202));
    const { user, dialog } = await choose('Close Garden Bag Essentials');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText(/somebody else/i)).toBeVisible();
  });
});
