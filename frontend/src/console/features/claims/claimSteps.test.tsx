import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { ClaimDetailView } from '../../api/admin';
import { aClaim, aClaimFile, claimIs, claimsAre } from '../../../testing/console/claims';
import { DRAWING, installDrawing } from '../../../testing/console/drawing';
import { adminCall, held, TOKEN, unauthorized } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

installDrawing();

const table = () => screen.findByRole('table', { name: /claims of drawn entries/ });
const summary = () => part('Garden Bag Essentials');
const calling = aClaimFile({ status: 'pending', needsCall: true, mayBeUnreachable: true });

/** Opens the dialog of a step. `stored` is what the server answers, and how often it was asked. */
async function open(name: string, claim: ClaimDetailView) {
  const stored = { claim, looks: 0 };
  server.use(
    claimIs(() => {
      stored.looks += 1;
      return stored.claim;
    }),
  );
  const { user } = renderAdmin(`${DRAWING}&claim=5`);
  await user.click(within(await summary()).getByRole('button', { name }));
  const element = await screen.findByRole('alertdialog');
  const dialog = within(element);
  return { user, stored, element, dialog, confirm: dialog.getByRole('button', { name }) };
}

/** A server that takes a step with the claim, and counts how often. */
function taking(path: string, after: ClaimDetailView) {
  const sent: string[] = [];
  server.use(
    adminCall('post', `claims/5/${path}`, (request) => {
      sent.push(request.url);
      return after;
    }),
  );
  return sent;
}

describe('the code of a call', () => {
  it('is shown once, to be read out', async () => {
    const { user, dialog, confirm } = await open('Confirm the number', calling);
    const callCode = {
      code: 'ABCDE-23456',
      page: 'https://tombola.example/claim',
      expiresAt: '2026-11-23T12:00:00Z',
    };
    taking('confirm-number', { ...calling, status: 'code_verified', callCode });
    await user.type(dialog.getByLabelText('Note'), 'She knew the date of entry.');
    await user.click(confirm);
    const shown = within(await screen.findByRole('dialog', { name: 'Read this code out' }));
    expect(shown.getByLabelText('The code')).toHaveValue('ABCDE-23456');
    expect(shown.getByText('tombola.example/claim')).toBeVisible();
    await user.click(shown.getByRole('button', { name: 'Done' }));
    expect(screen.queryByText('tombola.example/claim')).not.toBeInTheDocument();
  });
});

describe('the list of claims', () => {
  it('has pages, which stand in the address', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => aClaim({ id: 40 + index }));
    server.use(
      adminCall('get', 'claims', ({ url }) => {
        const offset = Number(new URL(url).searchParams.get('offset'));
        return { claims: rows.slice(offset, offset + 10), total: rows.length, waiting: 0 };
      }),
    );
    const { user } = renderAdmin(DRAWING);
    expect(rowsOf(await table())).toHaveLength(10);
    const card = within(await part('Claims'));
    await user.click(card.getByRole('button', { name: 'Next page' }));
    await waitFor(async () => expect(rowsOf(await table())).toHaveLength(2));
    expect(location.search).toContain('claims.offset=10');
  });

  it('is filtered by who needs a call, and says when nobody does', async () => {
    server.use(claimsAre([aClaim()]));
    const { user } = renderAdmin(`${DRAWING}&claims.status=needs_call`);
    expect(await screen.findByText('Nothing matches')).toBeInTheDocument();
    expect(screen.getByLabelText('Claim status')).toHaveDisplayValue('Needs a call');
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await table()).toBeInTheDocument();
  });

  it('is fetched again with Refresh', async () => {
    server.use(claimsAre([aClaim()]));
    const { user } = renderAdmin(DRAWING);
    await table();
    server.use(claimsAre([aClaim({ status: 'declined' })]));
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(async () => expect(await table()).toHaveTextContent('Declined'));
  });
});

describe('a step with a claim', () => {
  it('shows the claim that the server answers, without another look at the details', async () => {
    const { user, stored, element, confirm } = await open('Approve', aClaimFile());
    const sent = taking('approve', aClaimFile({ status: 'verified' }));
    await user.dblClick(confirm);
    expect(await toast()).toHaveTextContent('Claim approved');
    expect(element).not.toBeInTheDocument();
    await waitFor(async () => expect(await summary()).toHaveTextContent('Approved'));
    expect(sent).toHaveLength(1);
    expect(stored.looks).toBe(1);
  });

  it('cannot be left while it is under way', async () => {
    const { user, dialog, element, confirm } = await open('Approve', aClaimFile());
    const { answered, release } = held();
    server.use(
      adminCall('post', 'claims/5/approve', async () => {
        await answered;
        return aClaimFile({ status: 'verified' });
      }),
    );
    await user.click(confirm);
    expect(await dialog.findByText('Approving...')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(element).toBeInTheDocument();
    release();
    await waitFor(() => expect(element).not.toBeInTheDocument());
  });

  it.each([
    ['Approve', 'approve', aClaimFile(), 'number_changed', 'The number is another one.'],
    ['Approve', 'approve', aClaimFile(), 'claim_paused', 'A payment is disputed.'],
    ['Text the link again', 'resend', calling, 'cannot_text', 'The number gets no texts.'],
    ['Unreachable', 'unreachable', calling, 'called_too_seldom', 'Please call on three days.'],
  ])('%s (%s) that is refused says why', async (name, path, claim, code, error) => {
    const { user, element, dialog, confirm } = await open(name, claim);
    server.use(refusing(`/api/admin/claims/5/${path}`, 409, { error, code }));
    await user.click(confirm);
    expect(await dialog.findByText(error)).toHaveAttribute('role', 'alert');
    expect(element).toBeInTheDocument();
  });

  it('that is refused shows the claim of now behind the dialog', async () => {
    const { user, stored, dialog, confirm } = await open('Approve', aClaimFile());
    const error = 'The claim does not allow this now. Please reload the page.';
    server.use(refusing('/api/admin/claims/5/approve', 409, { error, code: 'wrong_status' }));
    stored.claim = aClaimFile({ status: 'delivered' });
    await user.click(confirm);
    expect(await dialog.findByText(error)).toBeInTheDocument();
    await waitFor(() =>
      expect(document.querySelector('.claim-badges')).toHaveTextContent('Delivered'),
    );
  });
});

describe('what is typed about a claim', () => {
  const rejecting = async () => {
    const opened = await open('Reject', aClaimFile());
    const reason = opened.dialog.getByLabelText('Reason');
    const note = opened.dialog.getByLabelText('Note');
    await opened.user.selectOptions(reason, 'Not an adult');
    await opened.user.type(note, 'Sixteen');
    return { ...opened, reason, note };
  };

  it('stays when the server finds something wrong with a field', async () => {
    const { user, confirm, reason, note } = await rejecting();
    const fields = { note: ['Must not contain control characters'] };
    const body = { error: 'Please check the fields.', code: 'validation', fields };
    server.use(refusing('/api/admin/claims/5/reject', 400, body));
    await user.click(confirm);
    await waitFor(() => expect(note).toHaveAccessibleDescription(/control characters/));
    expect(note).toHaveFocus();
    expect(note).toHaveValue('Sixteen');
    expect(reason).toHaveDisplayValue('Not an adult');
  });

  it('is not lost without a question', async () => {
    const { user, dialog, note } = await rejecting();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('alertdialog', { name: /Discard/ })).toBeInTheDocument();
    expect(note).toHaveValue('Sixteen');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(note).not.toBeInTheDocument());
  });

  it('stays when the session ends, and is sent after the next login', async () => {
    const { user, confirm, reason, note } = await rejecting();
    server.use(
      http.all('*/api/admin/*', ({ request }) =>
        request.url.endsWith('/login') ? undefined : unauthorized(),
      ),
    );
    await user.click(confirm);
    const login = within(await screen.findByRole('alertdialog', { name: 'Log in again' }));
    server.resetHandlers();
    server.use(
      http.post('*/api/admin/login', () =>
        HttpResponse.json({ sessionToken: TOKEN, expiresAt: '2026-11-24T03:00:00Z' }),
      ),
      http.get('*/api/admin/claims/5', () => HttpResponse.json(aClaimFile())),
      http.post('*/api/admin/claims/5/reject', () =>
        HttpResponse.json(aClaimFile({ status: 'rejected' })),
      ),
    );
    await user.type(login.getByLabelText('Username'), 'staff');
    await user.type(login.getByLabelText('Password'), 'a password');
    await user.click(login.getByRole('button', { name: 'Login' }));
    await waitFor(() => expect(screen.queryByText('Log in again')).not.toBeInTheDocument());
    expect(note).toBeVisible();
    expect(note).toHaveValue('Sixteen');
    expect(reason).toHaveDisplayValue('Not an adult');
    await user.click(confirm);
    await waitFor(() => expect(note).not.toBeInTheDocument());
  });
});
