import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ApprovalView } from '../../api/staff';
import { adminCall, held } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { aMe, anApproval, anInvitation } from '../../../testing/console/staff';
import { refusing, server } from '../../../testing/server';

const APPROVALS = '?section=settings&tab=approvals';

/** The proposals, and with which queries they were asked for. */
function proposalsAre(rows: () => ApprovalView[], total?: number) {
  const asked: string[] = [];
  server.use(
    http.get('*/api/admin/approvals', ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      const status = searchParams.get('status');
      const approvals = rows().filter((row) => !status || row.status === status);
      const headers = { 'X-Total-Count': String(total ?? approvals.length) };
      return HttpResponse.json({ approvals }, { headers });
    }),
  );
  return asked;
}

const waiting = async () => within(await part('Waiting for approval'));
const asking = async () => within(await screen.findByRole('alertdialog'));

describe('a proposal that waits', () => {
  it('says exactly what will happen, who proposed it, and until when', async () => {
    const given = [
      { name: 'landingPage', value: 'garden-bag' },
      { name: 'prizeName', value: 'A second bag' },
      { name: 'phoneNumber', value: '+15551234567' },
      { name: 'idempotencyKey', value: '0192f1f0' },
    ];
    proposalsAre(() => [anApproval({ arguments: given })]);
    renderAdmin(APPROVALS);
    const list = await waiting();
    expect(
      await list.findByText('Delete all page views, social shares and funnel steps.'),
    ).toBeVisible();
    const terms = list.getAllByRole('term').map(({ textContent }) => textContent);
    const values = list.getAllByRole('definition').map(({ textContent }) => textContent);
    expect(terms).toEqual(['Raffle', 'Prize Name', 'Phone number']);
    expect(values).toEqual(['Garden Bag Essentials', 'A second bag', '(555) 123-4567']);
    expect(
      list.getByText(
        'Proposal 11. Proposed by ben on Nov 21, 2026, 7:00 AM. Open until Nov 22, 2026, 7:00 AM.',
      ),
    ).toBeVisible();
  });

  it('is approved, once, after one more look', async () => {
    let status: ApprovalView['status'] = 'open';
    proposalsAre(() => [anApproval({ status })]);
    let calls = 0;
    server.use(
      adminCall('post', 'approvals/11/approve', () => {
        calls += 1;
        status = 'approved';
        return { approval: anApproval({ status }), result: null };
      }),
    );
    const { user } = renderAdmin(APPROVALS);
    await user.click(await (await waiting()).findByRole('button', { name: /^Approve/ }));
    const dialog = await asking();
    expect(dialog.getByText(/Delete all page views/)).toBeInTheDocument();
    await user.dblClick(dialog.getByRole('button', { name: 'Approve' }));
    expect(await toast()).toHaveTextContent('Approved and carried out');
    expect(await (await waiting()).findByText('Nothing waits')).toBeInTheDocument();
    expect(calls).toBe(1);
  });

  it('says that data is still being deleted', async () => {
    proposalsAre(() => [anApproval()]);
    server.use(
      adminCall('post', 'approvals/11/approve', {
        approval: anApproval({ status: 'approved' }),
        result: { jobId: 3 },
      }),
    );
    const { user } = renderAdmin(APPROVALS);
    await user.click(await (await waiting()).findByRole('button', { name: /^Approve/ }));
    await user.click((await asking()).getByRole('button', { name: 'Approve' }));
    expect(await toast()).toHaveTextContent('The server is deleting the data now.');
  });

  it('may take as long as a drawing takes', async () => {
    proposalsAre(() => [anApproval({ kind: 'perform_drawing' })]);
    const { user } = renderAdmin(APPROVALS);
    await user.click(await (await waiting()).findByRole('button', { name: /^Approve/ }));
    const { answered, release } = held();
    server.use(
      adminCall('post', 'approvals/11/approve', async () => {
        await answered;
        return { approval: anApproval({ status: 'approved' }), result: null };
      }),
    );
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    (await asking()).getByRole('button', { name: 'Approve' }).click();
    await (await asking()).findByText('Approving...');
    await act(() => vi.advanceTimersByTimeAsync(120_000));
    expect((await asking()).getByRole('alert')).toBeEmptyDOMElement();
    release();
    expect(await toast()).toHaveTextContent('Approved and carried out');
  });

  it('says that whoever proposed an invitation finds its link', async () => {
    proposalsAre(() => [anApproval({ kind: 'invite_member', summary: 'Invite cleo as manager.' })]);
    server.use(
      adminCall('post', 'approvals/11/approve', {
        approval: anApproval({ status: 'approved' }),
        result: null,
      }),
    );
    const { user } = renderAdmin(APPROVALS);
    await user.click(await (await waiting()).findByRole('button', { name: /^Approve/ }));
    await user.click((await asking()).getByRole('button', { name: 'Approve' }));
    expect(await toast()).toHaveTextContent('ben finds the link under All proposals.');
  });

  it.each([
    [
      'invite_member',
      'link',
      { invitation: anInvitation(), callCode: null },
      anInvitation().invitationUrl,
    ],
    [
      'confirm_number',
      'code',
      {
        invitation: null,
        callCode: {
          code: 'ABCDE-23456',
          page: 'https://tombola.example/claim',
          expiresAt: '2026-11-23T12:00:00Z',
        },
      },
      'ABCDE-23456',
    ],
  ] as const)(
    'shows the secret of %s once, to whoever proposed it',
    async (kind, what, secret, text) => {
      let hasSecret = true;
      const row = () =>
        anApproval({ kind, status: 'approved', own: true, mayApprove: false, hasSecret });
      proposalsAre(() => [row()]);
      server.use(
        adminCall('post', 'approvals/11/secret', () => {
          hasSecret = false;
          return { approval: row(), ...secret };
        }),
      );
      const { user } = renderAdmin(APPROVALS);
      await user.click(
        await screen.findByRole('button', { name: new RegExp(`^Show the ${what}`) }),
      );
      const dialog = within(await screen.findByRole('dialog'));
      expect(dialog.getByDisplayValue(text)).toBeVisible();
      expect(dialog.getByRole('button', { name: `Copy the ${what}` })).toBeVisible();
      await user.click(dialog.getByRole('button', { name: 'Done' }));
      await waitFor(() =>
        expect(screen.queryByRole('button', { name: /^Show the/ })).not.toBeInTheDocument(),
      );
    },
  );

  it('of an import says that the file is chosen again', async () => {
    const changes = { kind: 'import_people', summary: 'Import 1200 people.' } as const;
    proposalsAre(() => [anApproval({ ...changes, proposedBy: 'maria' })]);
    const { user } = renderAdmin(APPROVALS);
    const approved = { ...changes, status: 'approved', own: true, mayApprove: false } as const;
    server.use(
      adminCall('post', 'approvals/11/approve', { approval: anApproval(approved), result: null }),
    );
    await user.click(await (await waiting()).findByRole('button', { name: /^Approve/ }));
    const dialog = await asking();
    expect(dialog.getByText(/maria can then import the file with this SHA-256/)).toBeVisible();
    proposalsAre(() => [anApproval({ ...approved, awaitsFileUntil: '2026-11-22T20:04:00Z' })]);
    await user.click(dialog.getByRole('button', { name: 'Approve' }));
    expect(await toast()).toHaveTextContent('Approved');
    const link = await screen.findByRole('link', { name: 'Choose the same file again' });
    expect(link).toHaveAttribute('href', '/admin?section=people&view=import');
    expect(link.parentElement).toHaveTextContent('by Nov 22, 2026, 3:04 PM.');
  });

  it('can be rejected', async () => {
    proposalsAre(() => [anApproval()]);
    const { user } = renderAdmin(APPROVALS);
    server.use(
      adminCall('post', 'approvals/11/reject', { approval: anApproval({ status: 'rejected' }) }),
    );
    await user.click(await (await waiting()).findByRole('button', { name: /^Reject/ }));
    await user.click((await asking()).getByRole('button', { name: 'Reject' }));
    expect(await toast()).toHaveTextContent('Rejected');
  });

  it("of one's own can only be withdrawn", async () => {
    proposalsAre(() => [anApproval({ own: true, mayApprove: false })]);
    const { user } = renderAdmin(APPROVALS);
    const list = await waiting();
    expect(await list.findByText('Somebody else must approve it.')).toBeVisible();
    expect(list.queryByRole('button', { name: /^Approve/ })).not.toBeInTheDocument();
    server.use(
      adminCall('post', 'approvals/11/reject', { approval: anApproval({ status: 'rejected' }) }),
    );
    await user.click(list.getByRole('button', { name: /^Withdraw/ }));
    await user.click((await asking()).getByRole('button', { name: 'Withdraw' }));
    expect(await toast()).toHaveTextContent('Withdrawn');
  });

  it.each([
    ['owner' as const, true, /your account must be at least 7 days old/],
    ['owner' as const, false, 'This is about your own account. Somebody else must decide it.'],
    ['manager' as const, false, 'Only owners can decide it.'],
  ])('says why an %s cannot approve it, who may reject: %s', async (role, mayReject, sentence) => {
    server.use(adminCall('get', 'me', () => aMe({ role })));
    proposalsAre(() => [anApproval({ mayApprove: false, mayReject })]);
    renderAdmin(APPROVALS);
    const list = await waiting();
    expect(await list.findByText(sentence)).toBeVisible();
    expect(list.queryAllByRole('button', { name: /^Reject/ })).toHaveLength(mayReject ? 1 : 0);
  });

  it.each([
    [403, 'own_proposal', /You proposed this yourself/],
    [403, 'account_too_young', /at least 7 days old/],
    [403, 'concerns_you', /about your own account/],
    [409, 'approval_decided', /decided this already/],
    [409, 'proposer_disabled', /was disabled or has another role now/],
    [410, 'approval_expired', /has to be proposed again/],
    [409, 'last_owner', 'This is the last owner'],
  ])('says why approving failed: %i %s', async (status, code, sentence) => {
    proposalsAre(() => [anApproval()]);
    const { user } = renderAdmin(APPROVALS);
    await user.click(await (await waiting()).findByRole('button', { name: /^Approve/ }));
    const body = { error: 'This is the last owner', code };
    server.use(refusing('/api/admin/approvals/11/approve', status, body));
    await user.click((await asking()).getByRole('button', { name: 'Approve' }));
    expect(await (await asking()).findByText(sentence)).toHaveAttribute('role', 'alert');
  });
});

describe('the list of all proposals', () => {
  it('is filtered in the address and has pages', async () => {
    const asked = proposalsAre(
      () => [anApproval({ status: 'failed', error: 'The winner was erased already.' })],
      31,
    );
    const { user } = renderAdmin(APPROVALS);
    await user.selectOptions(await screen.findByLabelText('Status'), 'failed');
    expect(await screen.findByText('The winner was erased already.')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(asked).toContain('?status=failed&limit=10&offset=10'));
    expect(location.search).toBe('?section=settings&tab=approvals&status=failed&offset=10');
  });

  it('says who decided, and that the operator did it on the server', async () => {
    const decided = { status: 'approved' as const, decidedAt: '2026-11-21T13:00:00Z' };
    proposalsAre(() => [
      anApproval({ id: 1, ...decided, decidedBy: 'ana' }),
      anApproval({ id: 2, ...decided }),
      anApproval({ id: 3, status: 'expired' }),
    ]);
    renderAdmin(APPROVALS);
    const table = await screen.findByRole('table', { name: /What was proposed/ });
    expect(rowsOf(table).map((row) => row[4])).toEqual(['ana', 'On the server', '–']);
  });

  it('says how proposals come about where there are none', async () => {
    proposalsAre(() => []);
    server.use(adminCall('get', 'me', () => aMe({ twoPerson: true })));
    renderAdmin(APPROVALS);
    expect(
      await screen.findByText(/What one person must not do alone appears here/),
    ).toBeInTheDocument();
    expect(await screen.findByText('No proposals yet')).toBeInTheDocument();
  });
});

describe('what waits', () => {
  it('is counted at the menu item and at the tab', async () => {
    proposalsAre(() => []);
    server.use(adminCall('get', 'waiting', { appeals: 0, claims: 0, approvals: 2 }));
    renderAdmin(APPROVALS);
    expect(await screen.findByRole('link', { name: 'Settings, 2 waiting' })).toBeVisible();
    expect(await screen.findByRole('tab', { name: 'Approvals, 2 waiting' })).toBeVisible();
  });
});
