import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { adminCall } from '../../testing/console/handlers';
import { renderAdmin } from '../../testing/console/renderConsole';
import { aMember } from '../../testing/console/staff';
import { refusing, server } from '../../testing/server';
import { admin } from '../api/admin';

const STAFF = '?section=settings&tab=staff';
const GOOD = '123456';
const WRONG = 'This code is not valid.';

/** The server wants a code for each of these calls until one was good; keeps what came. */
function guarded(...paths: string[]) {
  const codes: (string | null)[] = [];
  let isFresh = false;
  const handlers = paths.map((path) =>
    http.all(`*/api/admin/${path}`, ({ request }) => {
      const code = request.headers.get('X-Totp-Code');
      codes.push(code);
      isFresh ||= code === GOOD;
      if (isFresh) return undefined; // the next handler answers
      const error = code ? WRONG : 'Enter a code';
      return HttpResponse.json({ error, code: 'step_up_required' }, { status: 403 });
    }),
  );
  server.use(adminCall('get', 'staff', { staff: [aMember({ name: 'ben' })] }));
  server.use(...handlers);
  return codes;
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Enter a code' }));
const none = () =>
  waitFor(() =>
    expect(screen.queryByRole('dialog', { name: 'Enter a code' })).not.toBeInTheDocument(),
  );

describe('a call that needs a fresh code', () => {
  it('asks for it, and then goes on by itself', async () => {
    const codes = guarded('staff');
    const { user } = renderAdmin(STAFF);
    const field = (await dialog()).getByLabelText('6-digit code');
    await waitFor(() => expect(field).toHaveFocus());
    await user.click(field);
    await user.paste('123 456');
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('rowheader', { name: /ben/ })).toBeInTheDocument();
    await none();
    expect(codes).toEqual([null, GOOD]);
  });

  it('says that the code was wrong, and takes another one', async () => {
    guarded('staff');
    const { user } = renderAdmin(STAFF);
    const asking = await dialog();
    await user.type(asking.getByLabelText('6-digit code'), '000000{Enter}');
    expect(await asking.findByText(WRONG)).toHaveAttribute('role', 'alert');
    await user.clear(asking.getByLabelText('6-digit code'));
    await user.type(asking.getByLabelText('6-digit code'), `${GOOD}{Enter}`);
    expect(await screen.findByRole('rowheader', { name: /ben/ })).toBeInTheDocument();
  });

  it('says how long to wait after too many wrong ones', async () => {
    guarded('staff');
    const { user } = renderAdmin(STAFF);
    const asking = await dialog();
    const body = { error: 'Too many', code: 'rate_limited' };
    server.use(refusing('/api/admin/staff', 429, body, { 'Retry-After': '600' }));
    await user.type(asking.getByLabelText('6-digit code'), '000000{Enter}');
    expect(
      await asking.findByText('Too many tries. Please try again in 10 minutes.'),
    ).toBeVisible();
  });

  it('fails when nobody enters one, and can be tried again', async () => {
    guarded('staff');
    const { user } = renderAdmin(STAFF);
    await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
    await none();
    expect(await screen.findByText(/Nothing was done, because no code was entered/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await dialog();
  });

  it('keeps what was typed in the form behind it', async () => {
    server.use(adminCall('get', 'staff', { staff: [] }));
    const { user } = renderAdmin(STAFF);
    await user.click(await screen.findByRole('button', { name: 'Invite somebody' }));
    const form = within(await screen.findByRole('dialog', { name: 'Invite somebody' }));
    await user.type(form.getByLabelText('Name'), 'cleo');
    guarded('staff');
    await user.click(form.getByRole('button', { name: 'Make the invitation' }));
    await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
    expect(await form.findByText(/Nothing was done/)).toHaveAttribute('role', 'alert');
    expect(form.getByLabelText('Name')).toHaveValue('cleo');
  });

  it('is asked for again where the call that carried the code did not arrive', async () => {
    server.use(adminCall('get', 'claims/5', { id: 5 }));
    const codes = guarded('staff', 'claims/5');
    const { user, store } = renderAdmin(STAFF);
    await dialog();
    let second: Promise<unknown> = Promise.resolve();
    act(() => {
      second = store.dispatch(admin.endpoints.getClaimDetails.initiate({ id: 5 }));
    });
    await waitFor(() => expect(codes).toEqual([null, null]));
    server.use(http.get('*/api/admin/staff', () => HttpResponse.error(), { once: true }));
    await user.type((await dialog()).getByLabelText('6-digit code'), `${GOOD}{Enter}`);
    expect(await screen.findByText(/could not be reached/)).toBeInTheDocument();
    await user.type((await dialog()).getByLabelText('6-digit code'), `${GOOD}{Enter}`);
    expect(await second).toMatchObject({ data: { id: 5 } });
    await none();
  });

  it('shares one dialog with other calls', async () => {
    server.use(adminCall('get', 'claims/5', { id: 5 }));
    const codes = guarded('staff', 'claims/5');
    const { user, store } = renderAdmin(STAFF);
    await dialog();
    let second: Promise<unknown> = Promise.resolve();
    act(() => {
      second = store.dispatch(admin.endpoints.getClaimDetails.initiate({ id: 5 }));
    });
    await waitFor(() => expect(codes).toEqual([null, null]));
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    await user.type((await dialog()).getByLabelText('6-digit code'), `${GOOD}{Enter}`);
    expect(await second).toMatchObject({ data: { id: 5 } });
    await none();
    expect(codes).toEqual([null, null, GOOD, null]);
  });
});
