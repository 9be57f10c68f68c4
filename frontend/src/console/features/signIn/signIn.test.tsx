import { screen, waitFor } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { TOKEN } from '../../../testing/console/handlers';
import { renderAdmin, storedToken, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

const username = () => screen.findByLabelText<HTMLInputElement>('Username');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const button = () => screen.getByRole('button', { name: /^Log/ });

/** Answers logins, and keeps what was sent. */
function loggingIn(sent: unknown[] = [], hold: Promise<unknown> = Promise.resolve()) {
  return http.post('*/api/admin/login', async ({ request }) => {
    sent.push(await request.json());
    await hold;
    return HttpResponse.json({ sessionToken: TOKEN, expiresAt: '2026-11-22T03:00:00Z' });
  });
}

async function signIn(user: ReturnType<typeof renderAdmin>['user']) {
  await user.type(await username(), 'staff');
  await user.type(password(), 'a password');
  await user.click(button());
}

describe('signing in', () => {
  it('shows the form without a session', async () => {
    renderAdmin('', { token: null });
    expect(await screen.findByRole('heading', { name: 'Admin Access' })).toBeInTheDocument();
    expect(
      screen.getByText('Enter your admin credentials to access the dashboard'),
    ).toBeInTheDocument();
    expect(await username()).toHaveAttribute('autocomplete', 'username');
    expect(password()).toHaveAttribute('type', 'password');
    expect(password()).toHaveAttribute('autocomplete', 'current-password');
    expect(button()).toHaveTextContent('Login');
  });

  it('asks for both before it asks the server', async () => {
    const { user } = renderAdmin('', { token: null });
    await username();
    await user.click(button());
    expect(await screen.findByText('Username is required')).toBeInTheDocument();
    expect(screen.getByText('Password is required')).toBeInTheDocument();
    await waitFor(async () => expect(await username()).toHaveFocus());
    expect(await username()).toHaveAccessibleDescription('Username is required');
  });

  it('keeps the token and opens the dashboard', async () => {
    const sent: unknown[] = [];
    server.use(loggingIn(sent));
    const { user } = renderAdmin('', { token: null });
    await signIn(user);
    expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeInTheDocument();
    expect(sent).toEqual([{ username: 'staff', password: 'a password' }]);
    expect(storedToken()).toBe(TOKEN);
    expect(await toast()).toHaveTextContent('Login successful');
    expect(await toast()).toHaveTextContent('Welcome to the admin dashboard');
  });

  it('says what it does, and does it once, however often the button is pressed', async () => {
    const sent: unknown[] = [];
    let answer = () => {};
    server.use(loggingIn(sent, new Promise<void>((resolve) => (answer = resolve))));
    const { user } = renderAdmin('', { token: null });
    await signIn(user);
    await waitFor(() => expect(button()).toHaveTextContent('Logging in...'));
    await user.click(button());
    await user.type(password(), '{Enter}');
    answer();
    await screen.findByRole('heading', { name: 'Admin Dashboard' });
    expect(sent).toHaveLength(1);
  });

  it.each([
    [{ error: 'Invalid credentials', code: 'invalid_credentials' }, 'Invalid credentials'],
    ['<html>', 'Invalid credentials'],
  ])('says why it was refused: %j', async (body, sentence) => {
    server.use(refusing('/api/admin/login', 401, body));
    const { user } = renderAdmin('', { token: null });
    await signIn(user);
    expect(await toast()).toHaveTextContent('Login failed');
    expect(await toast()).toHaveTextContent(sentence);
    expect(screen.getByText(sentence, { selector: '.problem' })).toHaveAttribute('role', 'alert');
    expect(await username()).toHaveValue('staff');
    expect(password()).toHaveFocus();
    expect(storedToken()).toBeNull();
    expect(button()).toHaveTextContent('Login');
  });

  it('says how long to wait after too many failures', async () => {
    const body = { error: 'Too many requests', code: 'rate_limited' };
    server.use(refusing('/api/admin/login', 429, body, { 'Retry-After': '840' }));
    const { user } = renderAdmin('', { token: null });
    await signIn(user);
    expect(
      await screen.findByText(/Please try again in 14 minutes/, { selector: '.problem' }),
    ).toBeInTheDocument();
  });

  it('puts the words of the server at their inputs', async () => {
    const fields = { password: ['Password is required'] };
    server.use(refusing('/api/admin/login', 400, { error: 'Wrong', code: 'validation', fields }));
    const { user } = renderAdmin('', { token: null });
    await signIn(user);
    await waitFor(() => expect(password()).toHaveAccessibleDescription('Password is required'));
  });

  it('says that the server cannot be reached instead of blaming the password', async () => {
    server.use(http.post('*/api/admin/login', () => HttpResponse.error()));
    const { user } = renderAdmin('', { token: null });
    await signIn(user);
    expect(
      await screen.findByText(/could not be reached/, { selector: '.problem' }),
    ).toBeInTheDocument();
    expect(screen.queryByText('Invalid credentials')).not.toBeInTheDocument();
  });
});

describe('a stored session', () => {
  it('is checked first', async () => {
    server.use(http.get('*/api/admin/me', () => delay('infinite')));
    renderAdmin();
    expect(await screen.findByText('Loading...')).toBeInTheDocument();
    expect(screen.queryByLabelText('Username')).not.toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Admin Dashboard' })).not.toBeInTheDocument();
  });

  it('opens the console when it holds', async () => {
    renderAdmin();
    expect(await screen.findByRole('heading', { name: 'Admin Dashboard' })).toBeInTheDocument();
    expect(storedToken()).toBe(TOKEN);
  });

  it('that has ended leads to the form, which explains it', async () => {
    renderAdmin('', { token: 'an old one' });
    expect(
      await screen.findByText('Your session has ended. Please log in again.'),
    ).toBeInTheDocument();
    expect(storedToken()).toBeNull();
  });

  it.each([
    ['the network fails', () => HttpResponse.error()],
    ['the server fails', () => new HttpResponse('{}', { status: 500 })],
  ])('is forgotten when %s', async (_, answer) => {
    server.use(http.get('*/api/admin/me', answer));
    renderAdmin();
    expect(await username()).toBeInTheDocument();
    expect(storedToken()).toBeNull();
    expect(screen.getByText(/could not be reached to check your session/)).toBeInTheDocument();
  });
});
