import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { adminCall } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { TAB, aNetwork, flaggedAre, networksAre } from '../../../testing/console/security';
import { refusing, server } from '../../../testing/server';

const table = () => screen.findByRole('table', { name: 'Networks that many people share' });

function renderWith(networks: Parameters<typeof networksAre>[0]) {
  server.use(flaggedAre([]), networksAre(networks));
  return renderAdmin(TAB);
}

describe('the shared networks', () => {
  it('are listed with their names', async () => {
    renderWith([
      aNetwork(),
      aNetwork({ id: 3, network: '2001:db8:1::/48', label: 'A phone company' }),
    ]);
    expect(rowsOf(await table()).map((row) => row.slice(0, 3))).toEqual([
      ['198.51.100.0/24', 'Springfield University', 'Nov 21, 2026'],
      ['2001:db8:1::/48', 'A phone company', 'Nov 21, 2026'],
    ]);
  });

  it('say what will appear when there are none', async () => {
    renderWith([]);
    expect(await screen.findByText('No shared networks')).toBeInTheDocument();
  });

  it('fail by themselves', async () => {
    server.use(flaggedAre([]), refusing('/api/admin/fraud/networks', 503, { error: 'No' }));
    renderAdmin(TAB);
    const card = within(await part('Shared networks'));
    expect(await card.findByRole('button', { name: 'Try again' })).toBeInTheDocument();
    expect(await screen.findByText('No flagged users')).toBeInTheDocument();
  });
});

describe('adding a network', () => {
  async function open() {
    const networks: ReturnType<typeof aNetwork>[] = [];
    const sent: unknown[] = [];
    const { user } = renderWith(() => networks);
    server.use(
      adminCall('post', 'fraud/networks', async (request) => {
        sent.push(await request.json());
        networks.push(aNetwork());
        return aNetwork();
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Add network' }));
    const dialog = screen.getByRole('dialog', { name: 'Add a shared network' });
    const network = within(dialog).getByLabelText('Address or network');
    const label = within(dialog).getByLabelText('Name');
    const add = within(dialog).getByRole('button', { name: 'Add network' });
    return { user, sent, dialog, network, label, add };
  }

  it('puts it on the list once', async () => {
    const { user, sent, dialog, network, label, add } = await open();
    await user.type(network, ' 198.51.100.0/24 ');
    await user.type(label, 'Springfield University');
    await user.dblClick(add);
    expect(await toast()).toHaveTextContent('Network added');
    expect(dialog).not.toBeInTheDocument();
    expect(sent).toEqual([{ network: '198.51.100.0/24', label: 'Springfield University' }]);
    expect(await table()).toHaveTextContent('Springfield University');
  });

  it('needs both, and says so by the fields', async () => {
    const { user, sent, network, label, add } = await open();
    await user.click(add);
    await waitFor(() => expect(network).toHaveAccessibleDescription(/Enter an address/));
    expect(label).toHaveAccessibleDescription(/Enter a name/);
    expect(network).toHaveFocus();
    expect(sent).toEqual([]);
  });

  it("puts the server's words by the field", async () => {
    const { user, network, label, add } = await open();
    const fields = { network: ['Must not be wider than /20, or /40 for IPv6'] };
    server.use(
      http.post('*/api/admin/fraud/networks', () =>
        HttpResponse.json({ error: 'No', code: 'validation', fields }, { status: 400 }),
      ),
    );
    await user.type(network, '10.0.0.0/8');
    await user.type(label, 'Everybody');
    await user.click(add);
    await waitFor(() => expect(network).toHaveAccessibleDescription(/Must not be wider/));
    expect(network).toHaveFocus();
    expect(label).toHaveValue('Everybody');
  });

  it('says that it is on the list already', async () => {
    const { user, dialog, network, label, add } = await open();
    const error = 'This network is on the list already.';
    server.use(
      http.post('*/api/admin/fraud/networks', () =>
        HttpResponse.json({ error, code: 'network_listed' }, { status: 409 }),
      ),
    );
    await user.type(network, '198.51.100.0/24');
    await user.type(label, 'A school');
    await user.click(add);
    expect(await within(dialog).findByText(error)).toHaveAttribute('role', 'alert');
    expect(network).toHaveValue('198.51.100.0/24');
  });
});

describe('removing a network', () => {
  async function open() {
    let networks = [aNetwork()];
    const { user } = renderWith(() => networks);
    const remove = () => {
      networks = [];
      return { success: true };
    };
    server.use(adminCall('delete', 'fraud/networks/2', remove));
    await user.click(await screen.findByRole('button', { name: 'Remove 198.51.100.0/24' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Remove 198.51.100.0/24?' });
    return { user, dialog, confirm: within(dialog).getByRole('button', { name: 'Remove' }) };
  }

  it('asks first, and takes it off the list', async () => {
    const { user, dialog, confirm } = await open();
    expect(dialog).toHaveAccessibleDescription(/Springfield University is no longer/);
    await user.click(confirm);
    expect(await toast()).toHaveTextContent('Network removed');
    expect(await screen.findByText('No shared networks')).toBeInTheDocument();
    expect(dialog).not.toBeInTheDocument();
  });

  it('says in the dialog that it failed', async () => {
    const { user, dialog, confirm } = await open();
    server.use(
      http.delete('*/api/admin/fraud/networks/2', () =>
        HttpResponse.json({ error: 'Not found', code: 'not_found' }, { status: 404 }),
      ),
    );
    await user.click(confirm);
    expect(await within(dialog).findByText('Not found')).toHaveAttribute('role', 'alert');
  });
});
