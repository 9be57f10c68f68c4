import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { aPackage } from '../../../testing/console/builders';
import { adminCall, held, never } from '../../../testing/console/handlers';
import { part, renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { installPricing, TAB, stored, table } from '../../../testing/console/pricing';

installPricing();

describe('the packages', () => {
  it('are listed with their price in dollars, and whether they are hidden', async () => {
    stored.packages = [
      aPackage(),
      aPackage({
        id: 9,
        name: 'Mega Pack',
        description: 'For the brave',
        entries: 1_000_000,
        price: 99_999_999,
        isPopular: true,
        isActive: false,
        sortOrder: 12,
      }),
    ];
    renderAdmin(TAB);
    expect(rowsOf(await table()).map((row) => row.map((cell) => cell?.trim()))).toEqual([
      ['Starter Pack', 'A few more chances', '10', '$5.00', 'Active', '0', expect.any(String)],
      [
        'Mega Pack Popular',
        'For the brave',
        '1,000,000',
        '$999,999.99',
        'InactiveHidden from users',
        '12',
        expect.any(String),
      ],
    ]);
    expect(screen.getByRole('button', { name: 'Edit Mega Pack' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Delete Starter Pack' })).toBeInTheDocument();
  });

  it('may be none', async () => {
    stored.packages = [];
    renderAdmin(TAB);
    expect(await screen.findByText('No entry packages yet')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'New package' })).toBeInTheDocument();
  });

  it('are asked for a page at a time', async () => {
    const all = Array.from({ length: 30 }, (_, n) =>
      aPackage({ id: n + 1, name: `Pack ${n + 1}` }),
    );
    const asked: string[] = [];
    const page = (request: Request) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)));
      return { packages: all.slice(offset, offset! + limit!) };
    };
    server.use(adminCall('get', 'entry-packages', page, { 'X-Total-Count': '30' }));
    const { user } = renderAdmin(TAB);
    expect(rowsOf(await table())).toHaveLength(25);
    expect(screen.getByText('1–25 of 30 entry packages')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: /^Next/ }));
    expect(await screen.findByText('26–30 of 30 entry packages')).toBeInTheDocument();
    await waitFor(async () => expect(rowsOf(await table())).toHaveLength(5));
    expect(asked).toEqual(['limit=25&offset=0', 'limit=25&offset=25']);
  });

  it('show a loading state', async () => {
    server.use(http.get('*/api/admin/entry-packages', never));
    renderAdmin(TAB);
    expect(within(await part('Entry packages')).getByText('Loading...')).toBeInTheDocument();
  });

  it('can be fetched again after a failure', async () => {
    server.use(refusing('/api/admin/entry-packages', 503, '', { 'Retry-After': '3' }));
    const { user } = renderAdmin(TAB);
    const card = await part('Entry packages');
    expect(await within(card).findByRole('alert')).toHaveTextContent('try again in 3 seconds');
    server.use(adminCall('get', 'entry-packages', { packages: [aPackage()] }));
    await user.click(within(card).getByRole('button', { name: 'Try again' }));
    await table();
  });
});

describe('deleting a package', () => {
  async function open() {
    const { user } = renderAdmin(TAB);
    await table();
    await user.click(screen.getByRole('button', { name: 'Delete Starter Pack' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Delete Starter Pack?' });
    const button = within(dialog).getByRole('button', { name: /^Delet/ });
    return { user, dialog, button };
  }

  it('says that purchases are kept, and does it once', async () => {
    let calls = 0;
    const { answered, release } = held();
    server.use(
      adminCall('delete', 'entry-packages/3', async () => {
        calls += 1;
        await answered;
        stored.packages = [];
        return { success: true };
      }),
    );
    const { user, dialog, button } = await open();
    expect(dialog).toHaveAccessibleDescription(/Past purchases and their entries are kept/);
    await user.dblClick(button);
    expect(button).toHaveTextContent('Deleting...');
    release();
    expect(await toast()).toHaveTextContent('Entry package deleted successfully');
    expect(await screen.findByText('No entry packages yet')).toBeInTheDocument();
    expect(calls).toBe(1);
    const list = await part('Entry packages');
    await waitFor(() => expect(list).toContainElement(document.activeElement as HTMLElement));
  });

  it('shows why it failed', async () => {
    server.use(refusing('/api/admin/entry-packages/3', 404, { error: 'Not found' }));
    const { user, dialog, button } = await open();
    await user.click(button);
    expect(await toast()).toHaveTextContent('Failed to delete packageNot found');
    expect(await within(dialog).findByText('Not found')).toHaveAttribute('role', 'alert');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(await table()).toHaveTextContent('Starter Pack');
  });
});
