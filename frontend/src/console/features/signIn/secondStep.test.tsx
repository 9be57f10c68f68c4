import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { TOKEN } from '../../../testing/console/handlers';
import { renderAdmin, storedToken } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

const GOOD = '123456';
const RECOVERY = '7k2m-q4xn-9rtb-c3wd';

/** An account with a second factor; keeps what was sent. */
function withSecondFactor() {
  const sent: Record<string, string>[] = [];
  server.use(
    http.post('*/api/admin/login', async ({ request }) => {
      const body = (await request.json()) as Record<string, string>;
      sent.push(body);
      const refused = (code: string, error: string) =>
        HttpResponse.json({ error, code }, { status: 401 });
      if (!body.code) return refused('totp_required', 'Enter the code of your app');
      if (body.code !== GOOD && body.code !== RECOVERY) {
        return refused('totp_invalid', 'This code is not valid.');
      }
      return HttpResponse.json({ sessionToken: TOKEN, expiresAt: '2026-11-22T03:00:00Z' });
    }),
  );
  return sent;
}

const code = () => screen.findByLabelText<HTMLInputElement>('6-digit code');
const button = () => screen.getByRole('button', { name: /^Log/ });

async function atSecondStep() {
  const sent = withSecondFactor();
  const { user } = renderAdmin('', { token: null });
  await user.type(await screen.findByLabelText('Username'), 'staff');
  await user.type(screen.getByLabelText('Password'), 'a password{Enter}');
  await code();
  return { user, sent };
}

describe('the second step of signing in', () => {
  it('asks for a code in the same form, where browsers and managers fill it in', async () => {
    await atSecondStep();
    expect(await code()).toHaveFocus();
    expect(await code()).toHaveAttribute('autocomplete', 'one-time-code');
    expect(await code()).toHaveAttribute('inputmode', 'numeric');
    expect(screen.getByLabelText('Username')).not.toBeVisible();
    expect(screen.getByLabelText('Username')).toHaveAttribute('name', 'username');
    expect(screen.queryByText('Login failed')).not.toBeInTheDocument();
  });

  it('takes a code as apps show it, and sends what was typed before', async () => {
    const { user, sent } = await atSecondStep();
    await user.click(await code());
    await user.paste('123 456');
    await user.click(button());
    expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeInTheDocument();
    expect(sent[1]).toEqual({ username: 'staff', password: 'a password', code: GOOD });
    expect(storedToken()).toBe(TOKEN);
  });

  it('asks for six digits before it asks the server', async () => {
    const { user, sent } = await atSecondStep();
    await user.type(await code(), '12345{Enter}');
    expect(await screen.findByText('Enter the six digits of the code.')).toBeInTheDocument();
    expect(sent).toHaveLength(1);
  });

  it('says that a code is wrong, and stays at it', async () => {
    const { user } = await atSecondStep();
    await user.type(await code(), '000000{Enter}');
    expect(
      await screen.findByText('This code is not valid.', { selector: '.problem' }),
    ).toHaveAttribute('role', 'alert');
    await waitFor(async () => expect(await code()).toHaveFocus());
    expect(await code()).toHaveValue('000000');
  });

  it('says how long to wait after too many wrong ones', async () => {
    const { user } = await atSecondStep();
    const body = { error: 'Too many requests', code: 'rate_limited' };
    server.use(refusing('/api/admin/login', 429, body, { 'Retry-After': '840' }));
    await user.type(await code(), '000000{Enter}');
    expect(
      await screen.findByText('Too many tries. Please try again in 14 minutes.', {
        selector: '.problem',
      }),
    ).toBeInTheDocument();
    expect(await code()).toBeVisible();
  });

  it('takes a recovery code instead', async () => {
    const { user, sent } = await atSecondStep();
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    const field = await screen.findByLabelText('Recovery code');
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).not.toHaveAttribute('inputmode');
    await user.type(field, 'abc{Enter}');
    expect(
      await screen.findByText('Enter a code such as 7K2M-Q4XN-9RTB-C3WD.'),
    ).toBeInTheDocument();
    await user.clear(field);
    await user.type(field, ` ${RECOVERY} {Enter}`);
    expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeInTheDocument();
    expect(sent[1]?.code).toBe(RECOVERY);
  });

  it('leads back to the name and the password, which are still there', async () => {
    const { user, sent } = await atSecondStep();
    await user.type(await code(), '12');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByLabelText('Username')).toBeVisible();
    expect(screen.getByLabelText('Username')).toHaveValue('staff');
    expect(screen.getByLabelText('Password')).toHaveValue('a password');
    expect(screen.getByLabelText('Password')).toHaveFocus();
    expect(screen.queryByLabelText('6-digit code')).not.toBeInTheDocument();
    await user.click(button());
    expect(await code()).toHaveValue('');
    expect(sent[1]).toEqual({ username: 'staff', password: 'a password' });
  });

  it('is left when the password is not right any more', async () => {
    const { user } = await atSecondStep();
    const body = { error: 'Invalid credentials', code: 'invalid_credentials' };
    server.use(refusing('/api/admin/login', 401, body));
    await user.type(await code(), `${GOOD}{Enter}`);
    expect(
      await screen.findByText('Invalid credentials', { selector: '.problem' }),
    ).toBeInTheDocument();
    expect(screen.getByLabelText('Password')).toBeVisible();
    expect(screen.getByLabelText('Password')).toHaveFocus();
  });
});
