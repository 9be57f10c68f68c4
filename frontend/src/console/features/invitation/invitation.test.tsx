import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { TOKEN } from '../../../testing/console/handlers';
import { renderAdmin, storedToken, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

const LINK = '#invitation=the-secret';
const FIRST_OWNER = '/setup#token=the-secret';
const CALL = '*/api/staff/invitations/the-secret';
const PATH = '/api/staff/invitations/the-secret';
const GOOD = 'correct horse battery';

/** Keeps the passwords that were sent. */
function invited(answered = Promise.resolve()) {
  const sent: unknown[] = [];
  server.use(
    http.get(CALL, () =>
      HttpResponse.json({ name: 'ben', role: 'manager', expiresAt: '2026-11-24T15:00:00Z' }),
    ),
    http.post(CALL, async ({ request }) => {
      sent.push(await request.json());
      await answered;
      return HttpResponse.json({ name: 'ben' });
    }),
  );
  return sent;
}

/** Answers the login with the new password. */
function loggingIn(answer: () => Response = opened) {
  const sent: unknown[] = [];
  server.use(
    http.post('*/api/admin/login', async ({ request }) => {
      sent.push(await request.json());
      return answer();
    }),
  );
  return sent;
}
const opened = () => HttpResponse.json({ sessionToken: TOKEN, expiresAt: '2026-11-22T03:00:00Z' });
const codeIsMissing = () =>
  HttpResponse.json({ error: 'A code is needed', code: 'totp_required' }, { status: 401 });
const dashboard = () => screen.findByRole('heading', { name: 'Admin Dashboard' });

const open = (token: string | null = null, link = LINK) => renderAdmin(link, { token });
const first = () => screen.findByLabelText<HTMLInputElement>('New password');
const again = () => screen.getByLabelText<HTMLInputElement>('New password again');
const button = () => screen.getByRole('button', { name: /Set password|Saving/ });

async function choose({ user }: ReturnType<typeof open>, password = GOOD, second = password) {
  await user.type(await first(), password);
  await user.type(again(), second);
  await user.click(button());
}

describe('the link to a new account', () => {
  it('greets by name, says the role, and asks for a new password', async () => {
    invited();
    open();
    expect(await screen.findByRole('heading', { name: 'Welcome, ben' })).toBeInTheDocument();
    expect(screen.getByText('manager')).toBeInTheDocument();
    expect(await first()).toHaveAttribute('autocomplete', 'new-password');
    expect(await first()).toHaveAttribute('type', 'password');
    expect(again()).toHaveAttribute('autocomplete', 'new-password');
  });

  it('sets it, forgets the link, and logs in', async () => {
    const sent = invited();
    const logins = loggingIn();
    await choose(open());
    expect(await dashboard()).toBeVisible();
    expect(await toast()).toHaveTextContent('Your password is setYou are logged in.');
    expect(location.hash).toBe('');
    expect(location.pathname).toBe('/admin');
    expect(sent).toEqual([{ password: GOOD }]);
    expect(logins).toEqual([{ username: 'ben', password: GOOD }]);
    expect(storedToken()).toBe(TOKEN);
  });

  it('leads to the login with the name filled in where that asks for more', async () => {
    invited();
    loggingIn(codeIsMissing);
    await choose(open());
    const notice = await screen.findByText('Your password is set. Log in with it.');
    expect(notice).toHaveAttribute('data-tone', 'good');
    expect(await screen.findByLabelText('Username')).toHaveValue('ben');
    expect(location.hash).toBe('');
  });

  it.each([
    ['too short', 'short', 'short', 'Use at least 15 characters.'],
    ['two different ones', GOOD, `${GOOD}!`, 'The two passwords differ.'],
  ])('refuses a password: %s', async (_, one, other, sentence) => {
    const sent = invited();
    await choose(open(), one, other);
    expect(await screen.findByText(sentence)).toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('shows what the server says of the password, at the field', async () => {
    invited();
    const view = open();
    await first();
    const fields = { password: ['This password is too common. Choose another one.'] };
    server.use(
      http.post(CALL, () =>
        HttpResponse.json({ error: 'Wrong', code: 'validation', fields }, { status: 400 }),
      ),
    );
    await choose(view);
    await waitFor(async () =>
      expect(await first()).toHaveAccessibleDescription(/This password is too common/),
    );
    expect(location.hash).toBe(LINK);
  });

  it('shows the password on request', async () => {
    invited();
    const { user } = open();
    await first();
    await user.click(screen.getByRole('button', { name: 'Show new password' }));
    expect(await first()).toHaveAttribute('type', 'text');
    expect(again()).toHaveAttribute('type', 'password');
  });

  it('sets it once, however often the button is pressed', async () => {
    let answer = () => {};
    const sent = invited(new Promise<void>((resolve) => (answer = resolve)));
    const logins = loggingIn();
    const view = open();
    await choose(view);
    await view.user.dblClick(button());
    answer();
    await dashboard();
    expect([sent, logins].map(({ length }) => length)).toEqual([1, 1]);
  });

  it.each([404, 410])('says what to do when it does not work any more: %i', async (status) => {
    server.use(refusing(PATH, status, { error: 'Gone', code: 'invitation_expired' }));
    const { user } = open();
    expect(
      await screen.findByRole('heading', { name: 'This invitation does not work any more' }),
    ).toHaveFocus();
    expect(screen.getByText(/ask an owner of this console for a new link/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Go to the login' }));
    expect(await screen.findByLabelText('Username')).toHaveValue('');
    expect(location.hash).toBe('');
  });

  it('says so too when it was used meanwhile', async () => {
    invited();
    const view = open();
    await first();
    server.use(refusing(PATH, 410, { error: 'Gone', code: 'invitation_expired' }));
    await choose(view);
    expect(
      await screen.findByRole('heading', { name: 'This invitation does not work any more' }),
    ).toBeInTheDocument();
  });

  it('can be tried again when the server cannot be reached', async () => {
    server.use(http.get(CALL, () => HttpResponse.error()));
    const { user } = open();
    const retry = await screen.findByRole('button', { name: 'Try again' });
    invited();
    await user.click(retry);
    expect(await first()).toBeInTheDocument();
  });

  it('ends the session of somebody else in this browser', async () => {
    invited();
    const tokens: (string | null)[] = [];
    server.use(
      http.post('*/api/admin/logout', ({ request }) => {
        tokens.push(request.headers.get('Authorization'));
        return HttpResponse.json({ success: true });
      }),
    );
    loggingIn();
    await choose(open('of somebody else'));
    await waitFor(() => expect(storedToken()).toBe(TOKEN));
    expect(tokens).toEqual(['Bearer of somebody else']);
  });

  it('makes the first owner, at the address that the server prints', async () => {
    const sent = invited();
    loggingIn();
    const view = open(null, FIRST_OWNER);
    await choose(view);
    expect(await dashboard()).toBeVisible();
    expect(location.pathname + location.hash).toBe('/admin');
    expect(sent).toEqual([{ password: GOOD }]);
  });

  it('says where a first owner gets a new link', async () => {
    server.use(refusing(PATH, 410, { error: 'Gone', code: 'invitation_expired' }));
    const { user } = open(null, FIRST_OWNER);
    expect(
      await screen.findByRole('heading', { name: 'This link does not work any more' }),
    ).toHaveFocus();
    expect(screen.getByText(/start the server again: it prints a new link/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Go to the login' }));
    expect(await screen.findByLabelText('Username')).toHaveValue('');
    expect(location.pathname).toBe('/admin');
  });

  it('opens in a page that is there already', async () => {
    invited();
    renderAdmin('', { token: null });
    await screen.findByLabelText('Username');
    location.hash = LINK;
    expect(await screen.findByRole('heading', { name: 'Welcome, ben' })).toBeInTheDocument();
  });
});
