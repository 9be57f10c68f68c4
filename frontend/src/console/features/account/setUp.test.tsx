import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adminCall } from '../../../testing/console/handlers';
import { renderAdmin } from '../../../testing/console/renderConsole';
import { watchSavedFiles } from '../../../testing/console/savedFiles';
import { aMe } from '../../../testing/console/staff';
import { refusing, server } from '../../../testing/server';

const CODES = Array.from({ length: 10 }, (_, index) => `7K2M-Q4XN-9RTB-C3W${index}`);
const SECRET = 'JBSWY3DPEHPK3PXP';

/** A role that needs a second factor; it is there once its code was good. */
function required() {
  const sent: unknown[] = [];
  let enabled = false;
  const totp = () => ({ enabled, required: true, recoveryCodesLeft: 10 });
  server.use(
    adminCall('get', 'me', () => aMe({ totp: totp() })),
    adminCall('post', 'me/totp', async (request) => {
      sent.push(await request.json());
      return {
        secret: SECRET,
        otpauthUrl: `otpauth://totp/Tombola:ana?secret=${SECRET}`,
        qrSvg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      };
    }),
    adminCall('post', 'me/totp/confirm', async (request) => {
      sent.push(await request.json());
      enabled = true;
      return { recoveryCodes: CODES };
    }),
  );
  return sent;
}

const title = () => screen.findByRole('heading', { name: 'Set up a second factor' });
const codeField = () => screen.findByLabelText('The 6-digit code that the app shows');

async function atApp() {
  const sent = required();
  const view = renderAdmin();
  await view.user.type(await screen.findByLabelText('Password'), 'a password{Enter}');
  await codeField();
  return { ...view, sent };
}

async function atCodes() {
  const view = await atApp();
  await view.user.type(await codeField(), '123 456{Enter}');
  await screen.findByRole('list', { name: 'Recovery codes' });
  return view;
}

describe('a role that needs a second factor', () => {
  it('sees nothing else before it is set up', async () => {
    required();
    renderAdmin('?section=drawing');
    expect(await title()).toBeInTheDocument();
    expect(screen.queryByRole('navigation', { name: 'Sections' })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Logout' })).toBeVisible();
  });

  it('sees it too once any call says so', async () => {
    server.use(refusing('/api/admin/waiting', 403, { error: 'Set up', code: 'totp_required' }));
    renderAdmin();
    expect(await title()).toBeInTheDocument();
  });

  it('asks for the password first', async () => {
    required();
    const { user } = renderAdmin();
    const fields = { password: ['That is not your password.'] };
    server.use(
      http.post('*/api/admin/me/totp', () =>
        HttpResponse.json({ error: 'Wrong', code: 'validation', fields }, { status: 400 }),
      ),
    );
    const password = await screen.findByLabelText('Password');
    expect(password).toHaveAttribute('autocomplete', 'current-password');
    await user.type(password, 'wrong{Enter}');
    await waitFor(() => expect(password).toHaveAccessibleDescription(/not your password/));
  });

  it('shows the key as a picture, as a link and as text', async () => {
    const { sent } = await atApp();
    expect(sent).toEqual([{ password: 'a password' }]);
    const picture = screen.getByRole('img', { name: /QR code/ });
    expect(picture).toHaveAttribute('src', expect.stringMatching(/^data:image\/svg\+xml,%3Csvg/));
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the app' })).toHaveAttribute(
      'href',
      expect.stringContaining('otpauth://'),
    );
  });

  it('says that the code is wrong, and takes another one', async () => {
    const { user } = await atApp();
    const refusal = { error: 'This code is not valid.', code: 'totp_invalid' };
    server.use(refusing('/api/admin/me/totp/confirm', 400, refusal));
    await user.type(await codeField(), '000000{Enter}');
    expect(await screen.findByText('This code is not valid.')).toHaveAttribute('role', 'alert');
    await waitFor(async () => expect(await codeField()).toHaveFocus());
  });

  it('gives recovery codes, and opens the console once they are saved', async () => {
    const { user, sent } = await atCodes();
    expect(sent[1]).toEqual({ code: '123456' });
    const list = within(screen.getByRole('list', { name: 'Recovery codes' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual(CODES);
    await user.click(screen.getByRole('button', { name: 'I have saved them' }));
    expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeInTheDocument();
  });

  it('asks before the codes are lost', async () => {
    const { user } = await atCodes();
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    expect(
      await screen.findByRole('alertdialog', { name: 'Discard your changes?' }),
    ).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(screen.getByRole('list', { name: 'Recovery codes' })).toBeInTheDocument();
  });
});

describe('recovery codes', () => {
  let files: ReturnType<typeof watchSavedFiles>;
  beforeEach(() => {
    files = watchSavedFiles();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('can be copied and downloaded', async () => {
    const { user } = await atCodes();
    await user.click(screen.getByRole('button', { name: 'Copy the recovery codes' }));
    expect(await screen.findByText('Copied.')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(CODES.join('\n'));
    await user.click(screen.getByRole('button', { name: 'Download' }));
    expect(files[0]?.name).toBe('tombola-recovery-codes.txt');
  });

  it('can be copied by hand where the browser does not allow it', async () => {
    const { user } = await atCodes();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
    await user.click(screen.getByRole('button', { name: 'Copy the recovery codes' }));
    expect(await screen.findByText(/Select it and copy it yourself/)).toBeInTheDocument();
  });
});
