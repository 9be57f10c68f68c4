import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminCall, never } from '../../../testing/console/handlers';
import {
  part,
  renderAdmin,
  rowsOf,
  storedToken,
  toast,
} from '../../../testing/console/renderConsole';
import { aMe, aSession } from '../../../testing/console/staff';
import { refusing, server } from '../../../testing/server';

const ACCOUNT = '?section=account';
const NEW = 'correct horse battery';

const sessions = () => screen.findByRole('table', { name: 'Your sessions' });
const ben = (changes: Parameters<typeof aMe>[0] = {}) =>
  adminCall('get', 'me', () =>
    aMe({ name: 'ben', role: 'support', environment: false, ...changes }),
  );

beforeEach(() => {
  server.use(
    adminCall('get', 'me/sessions', {
      sessions: [
        aSession({ id: 1, current: true }),
        aSession({ id: 2, device: null, address: null }),
      ],
    }),
  );
});

describe("one's own account", () => {
  it('is behind the name in the bar', async () => {
    server.use(ben());
    const { user } = renderAdmin();
    await user.click(await screen.findByRole('link', { name: 'Your account: ben' }));
    expect(location.search).toBe(ACCOUNT);
    expect(await screen.findByRole('heading', { name: 'Your account' })).toBeInTheDocument();
    expect(screen.getByText(/support\. Looks after people/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Your account: ben' })).toHaveAttribute('aria-current');
  });
});

describe('the sessions', () => {
  it('say where one is logged in', async () => {
    renderAdmin(ACCOUNT);
    expect(rowsOf(await sessions())).toEqual([
      ['Chrome on Android This one', '192.0.2.7', expect.any(String), expect.any(String), ''],
      [
        'Unknown device ',
        'Not known',
        expect.any(String),
        expect.any(String),
        'End the session of Unknown device',
      ],
    ]);
  });

  it('end one by one, once', async () => {
    const ended: string[] = [];
    server.use(
      http.delete('*/api/admin/me/sessions/:id', ({ params }) => {
        ended.push(String(params.id));
        return HttpResponse.json({ success: true });
      }),
    );
    const { user } = renderAdmin(ACCOUNT);
    await user.click(await screen.findByRole('button', { name: /^End the session/ }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.dblClick(dialog.getByRole('button', { name: 'End session' }));
    expect(await toast()).toHaveTextContent('Session ended');
    expect(ended).toEqual(['2']);
  });

  it('all end at once, this one too', async () => {
    server.use(adminCall('delete', 'me/sessions', { success: true }));
    const { user } = renderAdmin(ACCOUNT);
    await user.click(await screen.findByRole('button', { name: 'Log out everywhere' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Log out everywhere' }));
    expect(await screen.findByText('You were logged out everywhere.')).toBeVisible();
    expect(storedToken()).toBeNull();
  });

  it('show that they are loading, and why they cannot be shown', async () => {
    server.use(http.get('*/api/admin/me/sessions', never));
    const { unmount } = renderAdmin(ACCOUNT);
    const card = within(await part('Where you are logged in'));
    expect(card.getByText('Loading...')).toBeInTheDocument();
    unmount();
    server.use(refusing('/api/admin/me/sessions', 500, { error: 'The database failed.' }));
    renderAdmin(ACCOUNT);
    expect(await screen.findByText('The database failed.')).toBeInTheDocument();
  });
});

describe('the password', () => {
  const change = async (user: ReturnType<typeof renderAdmin>['user'], next = NEW) => {
    await user.type(await screen.findByLabelText('Current password'), 'the old one');
    await user.type(screen.getByLabelText('New password'), next);
    await user.type(screen.getByLabelText('New password again'), next);
    await user.click(screen.getByRole('button', { name: 'Change password' }));
  };

  it("of the server's own account is changed on the server", async () => {
    renderAdmin(ACCOUNT);
    expect(await screen.findByText('ADMIN_PASSWORD_HASH')).toBeInTheDocument();
    expect(screen.queryByLabelText('Current password')).not.toBeInTheDocument();
  });

  it('is changed, and everybody logs in again', async () => {
    const sent: unknown[] = [];
    server.use(
      ben(),
      adminCall('post', 'me/password', async (request) => {
        sent.push(await request.json());
        return { success: true };
      }),
    );
    const { user } = renderAdmin(ACCOUNT);
    await change(user);
    expect(await screen.findByText(/Your password was changed/)).toBeVisible();
    expect(screen.getByLabelText('Username')).toHaveValue('ben');
    expect(sent).toEqual([{ current: 'the old one', next: NEW }]);
  });

  it('stays when the server refuses it, with what was typed', async () => {
    const fields = { current: ['That is not your password.'], next: ['Choose another one.'] };
    server.use(
      ben(),
      http.post('*/api/admin/me/password', () =>
        HttpResponse.json({ error: 'Wrong', code: 'validation', fields }, { status: 400 }),
      ),
    );
    const { user } = renderAdmin(ACCOUNT);
    await change(user);
    await waitFor(() =>
      expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription(
        'That is not your password.',
      ),
    );
    expect(screen.getByLabelText('New password')).toHaveValue(NEW);
  });

  it('is not lost by leaving the page without being asked', async () => {
    server.use(ben());
    const { user } = renderAdmin(ACCOUNT);
    await user.type(await screen.findByLabelText('Current password'), 'the');
    await user.click(screen.getByRole('link', { name: 'Drawing' }));
    expect(
      await screen.findByRole('alertdialog', { name: 'Discard your changes?' }),
    ).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(screen.getByLabelText('Current password')).toHaveValue('the');
  });
});

describe('the second factor', () => {
  const card = async () => within(await part('Second factor'));

  it('can be set up by those who need none', async () => {
    server.use(ben({ totp: { enabled: false, required: false, recoveryCodesLeft: 0 } }));
    const { user } = renderAdmin(ACCOUNT);
    expect((await card()).getByText('Off')).toBeInTheDocument();
    await user.click((await card()).getByRole('button', { name: 'Set up a second factor' }));
    expect((await card()).getByLabelText('Password')).toBeInTheDocument();
    await user.click((await card()).getByRole('button', { name: 'Cancel' }));
    expect((await card()).getByText('Off')).toBeInTheDocument();
  });

  it('is turned off with a code', async () => {
    let enabled = true;
    const sent: unknown[] = [];
    server.use(
      adminCall('get', 'me', () =>
        aMe({ totp: { enabled, required: false, recoveryCodesLeft: 1 } }),
      ),
      adminCall('delete', 'me/totp', async (request) => {
        sent.push(await request.json());
        enabled = false;
        return { success: true };
      }),
    );
    const { user } = renderAdmin(ACCOUNT);
    expect((await card()).getByText(/1 recovery code left/)).toBeInTheDocument();
    expect((await card()).getByText(/Make new recovery codes/)).toBeInTheDocument();
    await user.click((await card()).getByRole('button', { name: 'Turn off' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('6-digit code'), '123456{Enter}');
    expect(await (await card()).findByText('Off')).toBeInTheDocument();
    expect(sent).toEqual([{ code: '123456' }]);
  });

  it('stays as it is when the server has come to require it', async () => {
    const refusal = { error: 'This site requires a second factor.', code: 'totp_required' };
    server.use(refusing('/api/admin/me/totp', 403, refusal));
    const { user } = renderAdmin(ACCOUNT);
    await user.click((await card()).getByRole('button', { name: 'Turn off' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('6-digit code'), '123456{Enter}');
    expect(await dialog.findByText('This site requires a second factor.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Your account' })).toBeInTheDocument();
  });

  it('cannot be turned off where the role needs it', async () => {
    server.use(ben({ totp: { enabled: true, required: true, recoveryCodesLeft: 10 } }));
    renderAdmin(ACCOUNT);
    expect((await card()).getByText(/cannot be turned off/)).toBeInTheDocument();
    expect((await card()).queryByRole('button', { name: 'Turn off' })).not.toBeInTheDocument();
  });

  it('gets new recovery codes, or says why not', async () => {
    const refusal = { error: 'This code is not valid.', code: 'totp_invalid' };
    server.use(refusing('/api/admin/me/totp/recovery-codes', 400, refusal));
    const { user } = renderAdmin(ACCOUNT);
    await user.click((await card()).getByRole('button', { name: 'New recovery codes' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('6-digit code'), '000000{Enter}');
    expect(await dialog.findByText('This code is not valid.')).toBeInTheDocument();
    server.use(
      adminCall('post', 'me/totp/recovery-codes', { recoveryCodes: ['7K2M-Q4XN-9RTB-C3WD'] }),
    );
    await user.click(dialog.getByRole('button', { name: 'Make new codes' }));
    expect(await (await card()).findByText('7K2M-Q4XN-9RTB-C3WD')).toBeInTheDocument();
    await user.click((await card()).getByRole('button', { name: 'I have saved them' }));
    expect((await card()).getByText('On')).toBeInTheDocument();
  });
});
