import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { adminCall, never } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { aMember, anInvitation, aProposal } from '../../../testing/console/staff';
import { refusing, server } from '../../../testing/server';

const STAFF = '?section=settings&tab=staff';

const owner = aMember({ id: 1, name: 'ana', role: 'owner', environment: true, totp: false });
const staffAre = (...staff: ReturnType<typeof aMember>[]) =>
  server.use(adminCall('get', 'staff', { staff }));
const table = () => screen.findByRole('table', { name: /Who can sign in/ });
const dialog = async (role: 'dialog' | 'alertdialog' = 'dialog') =>
  within(await screen.findByRole(role));

/** A server that answers a change; keeps what was sent. */
function changing(method: 'post' | 'patch', path: string, answer: object) {
  const sent: unknown[] = [];
  server.use(
    adminCall(method, path, async (request) => {
      sent.push(await request.text().then((text) => (text ? (JSON.parse(text) as unknown) : null)));
      return answer;
    }),
  );
  return sent;
}

async function opened() {
  staffAre(owner, aMember());
  const view = renderAdmin(STAFF);
  await table();
  return view;
}

describe('the staff', () => {
  it('are listed with role, state, second factor and last sign-in', async () => {
    staffAre(
      owner,
      aMember({
        id: 3,
        name: 'cleo',
        role: 'viewer',
        state: 'invited',
        totp: false,
        lastSignInAt: null,
        invitationExpiresAt: '2026-11-24T15:00:00Z',
      }),
      aMember({ id: 4, name: 'dan', state: 'disabled' }),
    );
    renderAdmin(STAFF);
    const rows = rowsOf(await table());
    expect(rows[0]?.slice(0, 4)).toEqual([
      "ana YouIn the server's settings",
      'Owner',
      'Active',
      'Off',
    ]);
    expect(rows[0]?.at(-1)).toBe('');
    expect(rows[1]).toEqual([
      'cleo ',
      'Viewer',
      'InvitedLink works until Nov 24, 2026, 10:00 AM',
      'Off',
      'Never',
      'Role of cleoNew link for cleoDisable cleo',
    ]);
    expect(rows[2]?.at(-1)).toBe('Enable dan');
  });

  it('show that they are loading, and why they cannot be shown', async () => {
    server.use(http.get('*/api/admin/staff', never));
    const { unmount } = renderAdmin(STAFF);
    expect(await screen.findByRole('heading', { name: 'Staff' })).toBeInTheDocument();
    expect(screen.getByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing('/api/admin/staff', 500, { error: 'The database failed.' }));
    renderAdmin(STAFF);
    expect(await screen.findByText('The database failed.')).toBeInTheDocument();
  });
});

describe('inviting somebody', () => {
  async function invite(name = 'cleo') {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Invite somebody' }));
    const form = await dialog();
    await user.type(form.getByLabelText('Name'), name);
    await user.selectOptions(form.getByLabelText('Role'), 'manager');
    return { user, form, submit: form.getByRole('button', { name: 'Make the invitation' }) };
  }

  it('gives a link, once, to be copied', async () => {
    const { user, form, submit } = await invite(' cleo ');
    const sent = changing('post', 'staff', anInvitation());
    expect(form.getByLabelText('Role')).toHaveAccessibleDescription(/Can do everything except/);
    await user.dblClick(submit);
    const link = within(await screen.findByRole('dialog', { name: 'Send them this link' }));
    expect(link.getByLabelText('The invitation link')).toHaveValue(anInvitation().invitationUrl);
    await user.click(link.getByRole('button', { name: 'Copy the link' }));
    expect(await navigator.clipboard.readText()).toBe(anInvitation().invitationUrl);
    await user.click(link.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(sent).toEqual([{ name: 'cleo', role: 'manager' }]);
  });

  it('needs a name', async () => {
    const { user, form, submit } = await invite('  ');
    await user.click(submit);
    expect(await form.findByText('Enter a name.')).toBeInTheDocument();
  });

  it('needs a name that looks like no other', async () => {
    const { user, form, submit } = await invite('\u0441leo');
    await user.click(submit);
    const rule = 'Use letters a–z, digits, periods, hyphens and underscores.';
    expect(await form.findByText(rule)).toBeInTheDocument();
  });

  it('says at the field that the name is taken', async () => {
    const { user, form, submit } = await invite();
    server.use(refusing('/api/admin/staff', 409, { error: 'Taken', code: 'name_taken' }));
    await user.click(submit);
    await waitFor(() =>
      expect(form.getByLabelText('Name')).toHaveAccessibleDescription(/Somebody has this name/),
    );
    expect(form.getByLabelText('Name')).toHaveValue('cleo');
  });

  it('is only proposed where two people are needed', async () => {
    const { user, submit } = await invite();
    changing('post', 'staff', aProposal);
    await user.click(submit);
    const said = within(await screen.findByRole('dialog', { name: 'Proposed, not done yet' }));
    expect(
      said.getByText(/Proposed. Somebody else must approve it by Nov 22, 2026, 3:04 PM/),
    ).toBeInTheDocument();
    server.use(adminCall('get', 'approvals', { approvals: [] }));
    await user.click(said.getByRole('link', { name: 'Open Approvals' }));
    expect(location.search).toBe('?section=settings&tab=approvals');
  });

  it('asks before what was typed is lost', async () => {
    const { user } = await invite();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(
      await screen.findByRole('alertdialog', { name: 'Discard your changes?' }),
    ).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('changing an account', () => {
  it('changes the role, and says what happens', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Role of ben' }));
    const form = await dialog();
    expect(form.getByText(/logged out at once/)).toBeInTheDocument();
    const sent = changing('patch', 'staff/2', aMember({ role: 'viewer' }));
    await user.selectOptions(form.getByLabelText('Role'), 'viewer');
    await user.click(form.getByRole('button', { name: 'Change role' }));
    expect(await toast()).toHaveTextContent('ben is now viewer');
    expect(sent).toEqual([{ role: 'viewer' }]);
  });

  it('disables it, once', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Disable ben' }));
    const asking = await dialog('alertdialog');
    expect(asking.getByText(/cannot log in/)).toBeInTheDocument();
    const sent = changing('patch', 'staff/2', aMember({ state: 'disabled' }));
    await user.dblClick(asking.getByRole('button', { name: 'Disable' }));
    expect(await toast()).toHaveTextContent('ben is disabled');
    expect(sent).toEqual([{ disabled: true }]);
  });

  it('enables it again', async () => {
    staffAre(aMember({ state: 'disabled' }));
    const { user } = renderAdmin(STAFF);
    await user.click(await screen.findByRole('button', { name: 'Enable ben' }));
    const sent = changing('patch', 'staff/2', aMember());
    await user.click((await dialog('alertdialog')).getByRole('button', { name: 'Enable' }));
    expect(await toast()).toHaveTextContent('ben is enabled');
    expect(sent).toEqual([{ disabled: false }]);
  });

  it('makes a new link', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'New link for ben' }));
    const asking = await dialog('alertdialog');
    expect(asking.getByText(/For a forgotten password/)).toBeInTheDocument();
    changing('post', 'staff/2/invitation', anInvitation());
    await user.click(asking.getByRole('button', { name: 'Make a new link' }));
    expect(await screen.findByLabelText('The invitation link')).toBeInTheDocument();
  });

  it.each([
    ['last_owner', /This is the last owner/],
    ['environment_account', /in the server's settings/],
  ])('says why it is refused: %s', async (code, sentence) => {
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Disable ben' }));
    const asking = await dialog('alertdialog');
    server.use(
      http.patch('*/api/admin/staff/2', () =>
        HttpResponse.json({ error: 'No', code }, { status: 409 }),
      ),
    );
    await user.click(asking.getByRole('button', { name: 'Disable' }));
    expect(await asking.findByText(sentence)).toHaveAttribute('role', 'alert');
  });
});
