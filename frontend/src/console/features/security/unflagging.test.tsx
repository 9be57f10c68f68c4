import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aFlaggedUser } from '../../../testing/console/builders';
import { adminCall } from '../../../testing/console/handlers';
import { renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { TAB, flaggedAre } from '../../../testing/console/security';

describe('unflagging', () => {
  async function open() {
    let users = [aFlaggedUser()];
    const sent: unknown[] = [];
    server.use(
      flaggedAre(() => users),
      adminCall('post', 'unflag-user', async (request) => {
        sent.push(await request.json());
        users = [];
        return { success: true };
      }),
    );
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Unflag ***-***-4567' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Unflag ***-***-4567?' });
    return { user, sent, dialog, reason: screen.getByLabelText('Reason') };
  }
  const confirm = (dialog: HTMLElement) => within(dialog).getByRole('button', { name: 'Unflag' });

  it('asks why, tells what it means, and lets them win again', async () => {
    const { user, sent, dialog, reason } = await open();
    expect(dialog).toHaveAccessibleDescription(/takes part in the drawings of Garden Bag/);
    await user.type(reason, '  A family of four ');
    await user.click(confirm(dialog));
    expect(await toast()).toHaveTextContent('User unflagged');
    expect(await screen.findByText('No flagged users')).toBeInTheDocument();
    expect(sent).toEqual([{ userId: 7, reason: 'A family of four' }]);
    expect(dialog).not.toBeInTheDocument();
    const list = screen.getByRole('region', { name: 'Flagged Users' });
    await waitFor(() => expect(list).toContainElement(document.activeElement as HTMLElement));
  });

  it('does nothing without a reason', async () => {
    const { user, sent, dialog, reason } = await open();
    await user.type(reason, '   {Enter}');
    expect(reason).toHaveFocus();
    expect(reason).toHaveAccessibleDescription(/Enter a reason/);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(dialog).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('keeps the dialog and what was typed when it fails', async () => {
    const { user, dialog, reason } = await open();
    server.use(refusing('/api/admin/unflag-user', 404, { error: 'Not found', code: 'not_found' }));
    await user.type(reason, 'A family{Enter}');
    expect(await within(dialog).findByText('Not found')).toHaveAttribute('role', 'alert');
    expect(reason).toHaveValue('A family');
  });

  it('puts the words of the server at the reason', async () => {
    const { user, reason } = await open();
    const fields = { reason: ['Must be at most 200 characters'] };
    server.use(
      refusing('/api/admin/unflag-user', 400, { error: 'No', code: 'validation', fields }),
    );
    await user.type(reason, 'x{Enter}');
    await waitFor(() =>
      expect(reason).toHaveAccessibleDescription(/Must be at most 200 characters/),
    );
  });
});
