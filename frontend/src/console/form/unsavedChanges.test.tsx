import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { adminCall } from '../../testing/console/handlers';
import { aCampaign, smsHandlers, storedTexts } from '../../testing/console/smsBuilders';
import { renderAdmin } from '../../testing/console/renderConsole';
import { server } from '../../testing/server';

const CAMPAIGNS = '?section=sms&tab=campaigns';
beforeEach(() => {
  server.use(
    ...smsHandlers({ ...storedTexts(), campaigns: [aCampaign()] }),
    adminCall('get', 'entry-packages', { packages: [] }),
    adminCall('get', 'entry-packages/public', { packages: [] }),
  );
});

const asking = () => screen.findByRole('alertdialog', { name: 'Discard your changes?' });
const notAsking = () => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
const press = async (user: ReturnType<typeof renderAdmin>['user'], name: string) =>
  user.click(within(await asking()).getByRole('button', { name }));
const campaignName = () => screen.findByLabelText<HTMLInputElement>('Campaign name');

async function openForm() {
  const view = renderAdmin(CAMPAIGNS);
  await view.user.click(await screen.findByRole('button', { name: 'Schedule Campaign' }));
  await campaignName();
  return view;
}

async function halfWritten() {
  const view = await openForm();
  await view.user.type(await campaignName(), 'July');
  return view;
}

/** Whether the browser would ask before the page is left. */
function leavingAsks(): boolean {
  const event = new Event('beforeunload', { cancelable: true });
  dispatchEvent(event);
  return event.defaultPrevented;
}

describe('a form with changes', () => {
  it('asks before Cancel discards them', async () => {
    const { user } = await halfWritten();
    const cancel = screen.getByRole('button', { name: 'Cancel' });
    await user.click(cancel);
    await press(user, 'Keep editing');
    notAsking();
    expect(await campaignName()).toHaveValue('July');
    expect(cancel).toHaveFocus();
    await user.click(cancel);
    await press(user, 'Discard');
    expect(screen.queryByLabelText('Campaign name')).not.toBeInTheDocument();
    notAsking();
    expect(leavingAsks()).toBe(false);
  });

  it.each([
    ['tab', () => screen.getByRole('tab', { name: 'Templates' }), 'tab=templates'],
    ['section', () => screen.getByRole('link', { name: 'Analytics' }), 'section=analytics'],
    ['campaign', () => screen.getByRole('link', { name: 'July news' }), 'campaign=12'],
  ])('asks before another %s is opened', async (_, opener, address) => {
    server.use(adminCall('get', 'sms/campaigns/12', { error: 'not now' }));
    vi.spyOn(console, 'error').mockReturnValue(undefined); // a report without its campaign
    const { user } = await halfWritten();
    await waitFor(() => expect(opener()).toBeInTheDocument());
    await user.click(opener());
    await press(user, 'Keep editing');
    expect(location.search).toBe(CAMPAIGNS);
    expect(await campaignName()).toHaveValue('July');
    await user.click(opener());
    await press(user, 'Discard');
    expect(location.search).toContain(address);
    await waitFor(() => expect(screen.queryByLabelText('Campaign name')).not.toBeInTheDocument());
    vi.restoreAllMocks();
  });

  it('asks before Back', async () => {
    const { user } = renderAdmin('?section=sms&tab=templates');
    await user.click(await screen.findByRole('tab', { name: 'Campaigns' }));
    await user.click(await screen.findByRole('button', { name: 'Schedule Campaign' }));
    await user.type(await campaignName(), 'July');
    act(() => history.back());
    await press(user, 'Keep editing');
    expect(location.search).toBe(CAMPAIGNS);
    expect(await campaignName()).toHaveValue('July');
    act(() => history.back());
    await press(user, 'Discard');
    await waitFor(() => expect(location.search).toBe('?section=sms&tab=templates'));
    expect(await screen.findByRole('button', { name: 'New Template' })).toBeInTheDocument();
  });

  it('asks before the page is left', async () => {
    const { user } = await openForm();
    expect(leavingAsks()).toBe(false);
    await user.type(await campaignName(), 'J');
    expect(leavingAsks()).toBe(true);
    await user.clear(await campaignName());
    await waitFor(() => expect(leavingAsks()).toBe(false));
  });

  it('asks before logging out', async () => {
    const { user } = await halfWritten();
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await press(user, 'Discard');
    expect(await screen.findByLabelText('Username')).toBeInTheDocument();
  });
});

describe('a form as it was opened', () => {
  it('closes at once', async () => {
    const { user } = await openForm();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    notAsking();
    expect(screen.queryByLabelText('Campaign name')).not.toBeInTheDocument();
  });
});

describe('a dialog with changes', () => {
  async function openDialog() {
    const view = renderAdmin('?section=analytics&tab=pricing');
    await view.user.click(await screen.findByRole('button', { name: 'New package' }));
    return { ...view, dialog: screen.getByRole('dialog', { name: 'New package' }) };
  }
  const escape = (dialog: HTMLElement) =>
    fireEvent(dialog, new Event('cancel', { cancelable: true }));

  it('asks when Escape is pressed, and keeps them', async () => {
    const { user, dialog } = await openDialog();
    await user.type(within(dialog).getByLabelText('Name'), 'Ten');
    escape(dialog);
    await press(user, 'Keep editing');
    expect(within(dialog).getByLabelText('Name')).toHaveValue('Ten');
    escape(dialog);
    fireEvent(await asking(), new Event('close')); // as Escape does
    expect(within(dialog).getByLabelText('Name')).toHaveValue('Ten');
    notAsking();
  });

  it('asks when the browser closes it, and opens it again', async () => {
    const { user, dialog } = await openDialog();
    await user.type(within(dialog).getByLabelText('Name'), 'Ten');
    (dialog as HTMLDialogElement).close();
    fireEvent(dialog, new Event('close'));
    await press(user, 'Keep editing');
    expect(dialog).toHaveAttribute('open');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await press(user, 'Discard');
    expect(dialog).not.toBeInTheDocument();
  });

  it('closes at once while nothing was typed', async () => {
    const { dialog } = await openDialog();
    escape(dialog);
    expect(dialog).not.toBeInTheDocument();
    notAsking();
  });
});
