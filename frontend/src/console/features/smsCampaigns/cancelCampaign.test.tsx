import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { adminCall, held } from '../../../testing/console/handlers';
import { renderAdmin, toast } from '../../../testing/console/renderConsole';
import { server } from '../../../testing/server';
import { aCampaign } from '../../../testing/console/smsBuilders';
import { installCampaigns, TAB, LIST, stored, table } from '../../../testing/console/campaigns';

installCampaigns();

describe('cancelling', () => {
  const CANCEL = `${LIST}/12/cancel`;
  const dialog = () => screen.findByRole('alertdialog', { name: 'Cancel July news?' });

  async function open() {
    stored.campaigns = [aCampaign()];
    const { user } = renderAdmin(TAB);
    await user.click(await screen.findByRole('button', { name: 'Cancel July news' }));
    const confirm = within(await dialog()).getByRole('button', { name: /^Cancel/ });
    return { user, confirm };
  }

  it('is asked about, and done once', async () => {
    let calls = 0;
    const { answered, release } = held();
    server.use(
      adminCall('put', 'sms/campaigns/12/cancel', async () => {
        calls += 1;
        await answered;
        stored.campaigns = [aCampaign({ status: 'cancelled' })];
        return stored.campaigns[0]!;
      }),
    );
    const { user, confirm } = await open();
    expect(await dialog()).toHaveTextContent('for Jul 1, 2099, 12:00 PM. Nobody gets it then');
    await user.dblClick(confirm);
    expect(confirm).toHaveTextContent('Cancelling...');
    release();
    expect(await toast()).toHaveTextContent('Campaign cancelled successfully');
    expect(await within(await table()).findByText('Cancelled')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Cancel/ })).not.toBeInTheDocument();
    expect(calls).toBe(1);
  });

  it('can be left', async () => {
    const { user } = await open();
    await user.click(within(await dialog()).getByRole('button', { name: 'Keep it' }));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Cancel July news' })).toHaveFocus();
  });

  it('shows an error when it comes too late, and the new status', async () => {
    const error = 'Only a pending campaign can be cancelled';
    server.use(
      http.put(`*${CANCEL}`, () => {
        stored.campaigns = [aCampaign({ status: 'sent', recipientCount: 3, sentCount: 3 })];
        return HttpResponse.json({ error, code: 'not_pending' }, { status: 409 });
      }),
    );
    const { user, confirm } = await open();
    await user.click(confirm);
    expect(await toast()).toHaveTextContent(`Failed to cancel campaign${error}`);
    const alert = within(await dialog()).getByRole('alert');
    await waitFor(() => expect(alert).toHaveTextContent(error));
    expect(await within(await table()).findByText('Sent')).toBeInTheDocument();
  });
});
