import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fourRaffles, someSettings } from '../../testing/console/builders';
import { aMe } from '../../testing/console/staff';
import { TOKEN, unauthorized } from '../../testing/console/handlers';
import { aTemplate, smsHandlers, storedTexts } from '../../testing/console/smsBuilders';
import { renderAdmin, storedToken, toast } from '../../testing/console/renderConsole';
import { refusing, server } from '../../testing/server';
import { sms } from '../api/sms';
import { TOKEN_KEY } from './keepSession';

const CAMPAIGNS = '?section=sms&tab=campaigns';
const ENDED = 'Your session has ended. Please log in again.';

let stored = storedTexts();
beforeEach(() => {
  stored = storedTexts();
  stored.templates = [aTemplate({ name: 'Summer' })];
  tokens = [];
  templatesAnswered = Promise.resolve();
  server.use(...smsHandlers(stored));
});

/** The server refuses the token that this page began with. */
const refuseAll = http.all('*/api/admin/*', ({ request }) =>
  request.url.endsWith('/login') ? undefined : unauthorized(),
);
const logIn = http.post('*/api/admin/login', () =>
  HttpResponse.json({ sessionToken: 'another', expiresAt: '2026-11-22T03:00:00Z' }),
);
/** What another user sees after logging in. */
const templatesOfAnother = http.get('*/api/admin/sms/templates', async ({ request }) => {
  tokens.push(request.headers.get('Authorization'));
  await templatesAnswered;
  return HttpResponse.json({ templates: [aTemplate({ name: 'Autumn' })] });
});
let tokens: (string | null)[] = [];
let templatesAnswered = Promise.resolve();

const campaignName = () => screen.findByLabelText<HTMLInputElement>('Campaign name');
const asking = () => screen.findByRole('alertdialog', { name: 'Log in again' });
const session = () => document.querySelector<HTMLElement>('.session');

/** A campaign is half written. */
async function halfWritten() {
  const view = renderAdmin(CAMPAIGNS);
  const { user } = view;
  await user.click(await screen.findByRole('button', { name: 'Schedule Campaign' }));
  await user.type(await campaignName(), 'July');
  await user.selectOptions(screen.getByLabelText('Template'), 'Summer');
  return view;
}

/** As polling does. */
function askAgain({ store }: { store: ReturnType<typeof renderAdmin>['store'] }) {
  act(() => void store.dispatch(sms.util.invalidateTags(['Campaigns', 'SmsTemplates'])));
}

async function ended() {
  const view = await halfWritten();
  server.use(refuseAll, logIn);
  askAgain(view);
  return { ...view, dialog: within(await asking()) };
}

/** Logs in, in the dialog. */
async function logInAs({ user, dialog }: Awaited<ReturnType<typeof ended>>, name: string) {
  await user.clear(dialog.getByLabelText('Username'));
  await user.type(dialog.getByLabelText('Username'), name);
  await user.type(dialog.getByLabelText('Password'), 'a password');
  server.resetHandlers();
  server.use(
    logIn,
    templatesOfAnother,
    http.get('*/api/admin/sms/campaigns', () => HttpResponse.json({ campaigns: [] })),
    http.get('*/api/admin/sms/status', () => HttpResponse.json(stored.status)),
    http.get('*/api/admin/settings', () => HttpResponse.json({ settings: someSettings() })),
    http.get('*/api/admin/raffles', () => HttpResponse.json({ raffles: fourRaffles() })),
    http.get('*/api/admin/me', () => HttpResponse.json(aMe())),
    http.get('*/api/admin/waiting', () =>
      HttpResponse.json({ appeals: 0, claims: 0, approvals: 0 }),
    ),
    http.get('*/api/admin/opening', () => HttpResponse.json({ checks: [] })),
  );
  await user.click(dialog.getByRole('button', { name: 'Login' }));
}

function changedElsewhere(newValue: string | null) {
  if (newValue) localStorage.setItem(TOKEN_KEY, newValue);
  else localStorage.removeItem(TOKEN_KEY);
  act(() => void dispatchEvent(new StorageEvent('storage', { key: TOKEN_KEY, newValue })));
}

describe('a session that ends while something is typed', () => {
  it('asks to log in again above what was typed, which cannot be reached meanwhile', async () => {
    const { dialog } = await ended();
    expect(await asking()).toHaveAccessibleDescription(`${ENDED} What you typed is still here.`);
    expect(await campaignName()).toHaveValue('July');
    expect(session()).toHaveAttribute('inert');
    expect(dialog.getByRole('heading', { name: 'Log in again' })).toBeInTheDocument();
    expect(storedToken()).toBeNull();
  });

  it('knows who it was, who has only the password to type', async () => {
    const { dialog } = await ended();
    expect(dialog.getByLabelText('Username')).toHaveValue('ana');
    await waitFor(() => expect(dialog.getByLabelText('Password')).toHaveFocus());
  });

  it('sends no requests before the next login', async () => {
    const view = await ended();
    const calls = vi.fn();
    server.use(http.all('*/api/admin/*', calls));
    askAgain(view);
    await view.user.type(view.dialog.getByLabelText('Username'), 'staff');
    expect(calls).not.toHaveBeenCalled();
  });

  it('keeps what was typed, and asks again for what is on screen', async () => {
    const view = await ended();
    await logInAs(view, 'staff');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(await toast()).toHaveTextContent('Login successful');
    expect(await screen.findByRole('option', { name: 'Autumn' })).toBeInTheDocument();
    expect(await campaignName()).toHaveValue('July');
    expect(session()).not.toHaveAttribute('inert');
    expect(tokens).toEqual(['Bearer another']);
    expect(storedToken()).toBe('another');
  });

  it('shows another user nothing of the session before', async () => {
    let answer = () => {};
    templatesAnswered = new Promise<void>((resolve) => (answer = resolve));
    const view = await ended();
    await logInAs(view, 'somebody else');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(await campaignName()).toHaveValue('July');
    expect(await campaignName()).not.toBeVisible(); // its form names the templates of before
    answer();
    await waitFor(async () => expect(await campaignName()).toBeVisible());
    expect(screen.queryByRole('option', { name: 'Summer' })).not.toBeInTheDocument();
  });

  it('says why logging in again failed, and stays', async () => {
    const { user, dialog } = await ended();
    const body = { error: 'Invalid credentials', code: 'invalid_credentials' };
    server.use(refusing('/api/admin/login', 401, body));
    await user.type(dialog.getByLabelText('Password'), 'wrong{Enter}');
    expect(await dialog.findByText('Invalid credentials')).toHaveAttribute('role', 'alert');
    expect(session()).toHaveAttribute('inert');
  });

  it('can be left for the sign-in screen, which forgets everything', async () => {
    const { user, dialog, store } = await ended();
    await user.click(dialog.getByRole('button', { name: 'Leave' }));
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(await screen.findByRole('heading', { name: 'Admin Access' })).toHaveFocus();
    expect(screen.queryByLabelText('Campaign name')).not.toBeInTheDocument();
    expect(store.getState().adminApi.queries).toEqual({});
  });

  it('cannot be escaped', async () => {
    await ended();
    const dialog = await asking();
    const escape = new Event('cancel', { cancelable: true });
    fireEvent(dialog, escape);
    expect(escape.defaultPrevented).toBe(true);
    (dialog as HTMLDialogElement).close();
    fireEvent(dialog, new Event('close'));
    expect(dialog).toHaveAttribute('open');
  });
});

describe('a session that ends in another tab', () => {
  it('asks to log in again where something was typed', async () => {
    await halfWritten();
    changedElsewhere(null);
    expect(await asking()).toHaveAccessibleDescription(
      'You were logged out in another tab. What you typed is still here.',
    );
    expect(await campaignName()).toHaveValue('July');
  });

  it('continues after a login there', async () => {
    const { user, dialog } = await ended();
    expect(dialog.getByLabelText('Username')).toBeInTheDocument();
    server.resetHandlers();
    server.use(...smsHandlers(stored));
    changedElsewhere(TOKEN);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    expect(await campaignName()).toHaveValue('July');
    await waitFor(async () => expect(await campaignName()).toBeVisible());
    await user.type(await campaignName(), ' news');
    expect(await campaignName()).toHaveValue('July news');
  });

  it('leads to the form, which is announced, where nothing was typed', async () => {
    renderAdmin(CAMPAIGNS);
    await screen.findByRole('button', { name: 'Schedule Campaign' });
    changedElsewhere(null);
    expect(await screen.findByText('You were logged out in another tab.')).toHaveAttribute(
      'role',
      'alert',
    );
    expect(screen.getByRole('heading', { name: 'Admin Access' })).toHaveFocus();
    expect(session()).not.toBeInTheDocument();
  });
});
