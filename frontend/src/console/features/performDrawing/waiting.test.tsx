import { act, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aDrawing, aSealedDrawing } from '../../../testing/console/builders';
import { aClaim, claimsAre } from '../../../testing/console/claims';
import { adminCall } from '../../../testing/console/handlers';
import { part, renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import {
  DRAWING,
  PERFORM,
  drawButton,
  historyIs,
  installDrawing,
  openConfirmation,
  performing,
  rafflesAre,
  select,
} from '../../../testing/console/drawing';

installDrawing();
afterEach(() => vi.useRealTimers());

/** The round's time, and moments around it. */
const ROUND = '2026-11-21T20:06:00Z';
const at = (time: string) => vi.setSystemTime(new Date(`2026-11-21T${time}Z`));

const drawingIs = (drawing: object) => server.use(adminCall('get', 'drawing/7', () => drawing));

async function performSealed() {
  performing(aSealedDrawing());
  drawingIs(aSealedDrawing());
  const { user, confirm, dialog } = await openConfirmation();
  await user.click(confirm);
  const waiting = await part('Drawing in progress');
  return { user, waiting, dialog };
}

describe('a drawing that waits for the beacon', () => {
  it('turns the drum, names the round, and keeps the choice', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    at('20:05:30');
    const { waiting, dialog } = await performSealed();
    expect(dialog).not.toBeInTheDocument();
    expect(waiting).toHaveFocus();
    expect(waiting).toHaveTextContent(
      /Garden Bag EssentialsThe list is sealed\. Round 24000000 of the public beacon decides, in \d+ s\./,
    );
    expect(await select()).toHaveValue('garden-bag');
    expect(await drawButton()).toHaveAttribute('aria-disabled', 'true');
  });

  it('shows the winner, the toast and an empty form when the round comes', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await performSealed();
    drawingIs(aDrawing());
    await act(() => vi.advanceTimersByTimeAsync(2_500));
    expect(await toast()).toHaveTextContent(
      'Drawing Complete!Winner selected: 4567 (Entry #2,313)',
    );
    expect(await part('Result of the drawing')).toHaveTextContent('***-***-4567');
    expect(await select()).toHaveValue('');
  });

  it('shows who is asked to claim at once, with the winner', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.use(claimsAre([]));
    await performSealed();
    const claims = await part('Claims');
    expect(await within(claims).findByText('No claims yet')).toBeInTheDocument();
    server.use(claimsAre([aClaim({ status: 'pending' })]));
    drawingIs(aDrawing());
    await act(() => vi.advanceTimersByTimeAsync(2_500));
    expect(await within(claims).findByRole('table')).toHaveTextContent('***-***-4567');
  });

  it('says since when it waits', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    at('20:10:00');
    const { waiting } = await performSealed();
    expect(waiting).toHaveTextContent('decides. Waiting since Nov 21, 2026, 3:06 PM.');
  });

  it('says why it was voided', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await performSealed();
    drawingIs(aSealedDrawing({ status: 'void', voidReason: 'The beacon has ended' }));
    await act(() => vi.advanceTimersByTimeAsync(2_500));
    expect(await screen.findByText('This drawing was voided: The beacon has ended')).toBeVisible();
  });
});

describe('drawings that wait', () => {
  const waitingIs = (changes: object) =>
    server.use(rafflesAre({ 'garden-bag': { waiting: [aSealedDrawing(changes)] } }));
  const late = {
    beacon: { chainHash: 'ef'.repeat(32), round: 24, expectedAt: ROUND, waitingSince: ROUND },
  };

  it('are listed with what they wait for', async () => {
    waitingIs({});
    renderAdmin(DRAWING);
    const list = await part('Waiting to Be Drawn');
    expect(list).toHaveTextContent('Garden Bag EssentialsDrawn at Nov 21, 2026, 3:06 PM');
    expect(within(list).queryByRole('button')).not.toBeInTheDocument();
  });

  it('take the beacon from staff when it is late', async () => {
    waitingIs({ ...late, voidableAt: '2999-01-01T00:00:00Z' });
    const sent: unknown[] = [];
    server.use(
      adminCall('post', 'drawing/7/beacon', async (request) => {
        sent.push(await request.json());
        return aDrawing();
      }),
    );
    const { user } = renderAdmin(DRAWING);
    await user.click(await screen.findByRole('button', { name: 'Enter the beacon' }));
    const dialog = await screen.findByRole('dialog', { name: 'Round 24 of the beacon' });
    expect(within(dialog).getByRole('link', { name: /See round 24/ })).toHaveAttribute(
      'href',
      `https://api.drand.sh/${'ef'.repeat(32)}/public/24`,
    );
    const field = within(dialog).getByLabelText('Signature');
    await user.type(field, 'AB');
    await user.click(within(dialog).getByRole('button', { name: 'Check and draw' }));
    expect(await within(dialog).findByText(/96 hexadecimal digits of/)).toBeVisible();
    await user.clear(field);
    await user.type(field, 'ab'.repeat(48));
    await user.click(within(dialog).getByRole('button', { name: 'Check and draw' }));
    expect(await toast()).toHaveTextContent('Drawing Complete!');
    expect(sent).toEqual([{ round: 24, signature: 'ab'.repeat(48) }]);
    expect(dialog).not.toBeInTheDocument();
  });

  it('keep what was typed when the server refuses the signature', async () => {
    waitingIs(late);
    const error = 'This signature is not valid for round 24.';
    server.use(
      http.post('*/api/admin/drawing/7/beacon', () =>
        HttpResponse.json({ error, code: 'beacon_invalid' }, { status: 400 }),
      ),
    );
    const { user } = renderAdmin(DRAWING);
    await user.click(await screen.findByRole('button', { name: 'Enter the beacon' }));
    const dialog = await screen.findByRole('dialog', { name: 'Round 24 of the beacon' });
    await user.type(within(dialog).getByLabelText('Signature'), 'ab'.repeat(48));
    await user.click(within(dialog).getByRole('button', { name: 'Check and draw' }));
    expect(await within(dialog).findByText(error)).toBeVisible();
    expect(within(dialog).getByLabelText('Signature')).toHaveValue('ab'.repeat(48));
  });

  it('can be voided a week after their round, with a reason', async () => {
    waitingIs({ ...late, voidableAt: '2026-11-28T20:06:00Z' });
    vi.useFakeTimers({ shouldAdvanceTime: true });
    vi.setSystemTime(new Date('2026-11-28T20:07:00Z'));
    const sent: unknown[] = [];
    server.use(
      adminCall('post', 'drawing/7/void', async (request) => {
        sent.push(await request.json());
        return aDrawing({ status: 'void' });
      }),
    );
    const { user } = renderAdmin(DRAWING);
    await user.click(await screen.findByRole('button', { name: 'Void' }));
    const dialog = await screen.findByRole('alertdialog', { name: /^Void the drawing of Garden/ });
    await user.type(within(dialog).getByLabelText('Reason'), 'no');
    await user.click(within(dialog).getByRole('button', { name: 'Void' }));
    expect(await within(dialog).findByText('Enter 3 to 500 characters.')).toBeVisible();
    await user.type(within(dialog).getByLabelText('Reason'), ' beacon');
    await user.click(within(dialog).getByRole('button', { name: 'Void' }));
    expect(await toast()).toHaveTextContent('Drawing voided');
    expect(sent).toEqual([{ reason: 'no beacon' }]);
  });

  it('cannot be voided earlier', async () => {
    waitingIs({ ...late, voidableAt: '2999-01-01T00:00:00Z' });
    renderAdmin(DRAWING);
    await screen.findByRole('button', { name: 'Enter the beacon' });
    expect(screen.queryByRole('button', { name: 'Void' })).not.toBeInTheDocument();
  });

  it('stand in the history too', async () => {
    server.use(historyIs([aSealedDrawing(), aDrawing({ id: 6, status: 'void', voidReason: 'x' })]));
    renderAdmin(DRAWING);
    const table = await screen.findByRole('table', { name: /winners/ });
    expect(table).toHaveTextContent('Waiting for the beacon');
    expect(table).toHaveTextContent('Void: x');
  });
});

describe('a month that has its drawing', () => {
  const option = async (name: RegExp) => within(await select()).findByRole('option', { name });

  it('disables the raffle where a reason is needed', async () => {
    server.use(rafflesAre({ 'garden-bag': { isDrawn: true } }));
    renderAdmin(DRAWING);
    expect(await option(/Garden Bag.*Already drawn this month/)).toBeDisabled();
    expect(await option(/Fresh Sips.*1 participant/)).toBeEnabled();
  });

  it('names the day when drawings are automatic', async () => {
    server.use(rafflesAre({ 'garden-bag': { drawsAt: '2026-12-01T17:00:00Z' } }));
    renderAdmin(DRAWING);
    expect(await option(/Garden Bag.*Draws December 1st/)).toBeDisabled();
  });

  it('can have an additional drawing, with a prize and a reason', async () => {
    server.use(rafflesAre({ 'garden-bag': { isDrawn: true } }));
    const sent = performing({ kind: 'additional' });
    const { user } = renderAdmin(DRAWING);
    await user.click(await screen.findByRole('checkbox', { name: 'Additional drawing' }));
    await user.selectOptions(await select(), 'garden-bag');
    await user.click(await drawButton());
    expect(await screen.findByText('Enter 3 to 500 characters.')).toBeVisible();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    await user.type(screen.getByLabelText('Prize'), 'A second bag');
    await user.type(screen.getByLabelText('Value'), '$49');
    await user.type(screen.getByLabelText('Reason'), 'Our birthday');
    await user.click(await drawButton());
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirm Drawing' });
    await user.click(within(dialog).getByRole('button', { name: 'Draw Winner' }));
    expect(await part('Result of the drawing')).toBeVisible();
    expect(sent.map(({ body }) => body)).toEqual([
      {
        landingPage: 'garden-bag',
        reason: 'Our birthday',
        prize: { name: 'A second bag', value: '$49' },
      },
    ]);
  });
});

describe('an additional drawing that the server refuses', () => {
  const NUMBER = 'Must not hold a phone number; write its last four digits';

  it.each([
    ['reason', 'Reason', NUMBER],
    [
      'prize',
      'Prize',
      'Must have a name and a value, each one short line without a phone number. The value is an amount of at most $5,000, such as $49',
    ],
  ])('for its %s says so at the input, and keeps what was typed', async (name, label, message) => {
    const fields = { [name]: [message] };
    server.use(
      rafflesAre({ 'garden-bag': { isDrawn: true } }),
      refusing(PERFORM, 400, { error: 'No', code: 'validation', fields }),
    );
    const { user } = renderAdmin(DRAWING);
    await user.click(await screen.findByRole('checkbox', { name: 'Additional drawing' }));
    await user.selectOptions(await select(), 'garden-bag');
    await user.type(screen.getByLabelText('Prize'), 'A second bag');
    await user.type(screen.getByLabelText('Value'), '$49');
    await user.type(screen.getByLabelText('Reason'), 'For (555) 123-4567');
    await user.click(await drawButton());
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirm Drawing' });
    await user.click(within(dialog).getByRole('button', { name: 'Draw Winner' }));
    expect(await screen.findByText(message)).toBeVisible();
    expect(dialog).not.toBeInTheDocument();
    expect(screen.getByLabelText(label)).toHaveAccessibleDescription(
      expect.stringContaining(message),
    );
    expect(screen.getByLabelText('Prize')).toHaveValue('A second bag');
    expect(screen.getByLabelText('Reason')).toHaveValue('For (555) 123-4567');
  });
});
