import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { PackageView } from '../../api/admin';
import { aPackage } from '../../../testing/console/builders';
import { adminCall, held } from '../../../testing/console/handlers';
import { renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { installPricing, TAB, stored, table } from '../../../testing/console/pricing';

installPricing();

describe('a new package', () => {
  async function open() {
    const { user } = renderAdmin(TAB);
    await table();
    await user.click(screen.getByRole('button', { name: 'New package' }));
    const dialog = screen.getByRole('dialog', { name: 'New package' });
    const field = (label: string) => within(dialog).getByLabelText<HTMLInputElement>(label);
    const press = (name: string) => user.click(within(dialog).getByRole('button', { name }));
    return { user, dialog, field, press };
  }

  function creating(sent: unknown[], answered = Promise.resolve()) {
    return adminCall('post', 'entry-packages', async (request) => {
      const body = (await request.json()) as Partial<PackageView>;
      sent.push(body);
      await answered;
      const made = aPackage({ ...body, id: 4 });
      stored.packages = [...stored.packages, made];
      return made;
    });
  }

  it('begins with ten active entries for $5.00', async () => {
    const { dialog, field } = await open();
    expect(field('Name')).toHaveValue('');
    expect(field('Entries')).toHaveValue('10');
    expect(field('Price in dollars')).toHaveValue('5.00');
    expect(field('Sort order')).toHaveValue('0');
    expect(field('Popular')).not.toBeChecked();
    expect(field('Active')).toBeChecked();
    expect(dialog).toHaveTextContent('Users pay $5.00: $0.50 per entry.');
  });

  it('warns before it is saved when Stripe charges more than its price', async () => {
    const { user, dialog, field } = await open();
    const note = within(dialog).getByRole('status');
    for (const [price, isTooLow] of [
      ['0.49', true],
      ['.01', true],
      ['0.50', false],
      ['0', false],
      ['nothing', false],
    ] as const) {
      await user.clear(field('Price in dollars'));
      await user.type(field('Price in dollars'), price);
      if (isTooLow) expect(note, price).toHaveTextContent('Stripe charges $0.50 or more');
      else expect(note, price).toBeEmptyDOMElement();
    }
  });

  it('is created once, listed, and confirmed in a toast', async () => {
    const sent: unknown[] = [];
    const { answered, release } = held();
    server.use(creating(sent, answered));
    const { user, dialog, field } = await open();
    await user.type(field('Name'), '  Mega Pack ');
    await user.type(field('Description'), 'For the brave');
    await user.clear(field('Entries'));
    await user.type(field('Entries'), '1,000');
    await user.clear(field('Price in dollars'));
    await user.type(field('Price in dollars'), '49.9');
    expect(dialog).toHaveTextContent('Users pay $49.90: $0.05 per entry.');
    expect(field('Price in dollars')).toHaveValue('49.9');
    await user.click(field('Popular'));
    await user.dblClick(within(dialog).getByRole('button', { name: 'Create package' }));
    await within(dialog).findByRole('button', { name: 'Saving...' });
    await user.type(field('Name'), '{Enter}');
    release();
    expect(await toast()).toHaveTextContent('Entry package created successfully');
    expect(dialog).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'New package' })).toHaveFocus();
    await waitFor(async () => expect(await table()).toHaveTextContent('Mega Pack'));
    expect(sent).toEqual([
      {
        name: 'Mega Pack',
        description: 'For the brave',
        entries: 1_000,
        price: 4_990,
        isPopular: true,
        isActive: true,
        sortOrder: 0,
      },
    ]);
  });

  it('names what is missing, and sends nothing', async () => {
    const sent: unknown[] = [];
    server.use(creating(sent));
    const { user, field, press } = await open();
    await user.clear(field('Entries'));
    await user.clear(field('Price in dollars'));
    await press('Create package');
    await waitFor(() => expect(field('Name')).toHaveAccessibleDescription('Name is required'));
    expect(field('Name')).toHaveFocus();
    expect(field('Description')).toHaveAccessibleDescription('Description is required');
    expect(field('Entries')).toHaveAccessibleDescription('Must be at least 1 entry');
    expect(field('Price in dollars')).toHaveAccessibleDescription('Price must be greater than 0');
    expect(sent).toEqual([]);
  });

  it('puts the words of the server at their inputs', async () => {
    const fields = { price: ['Price must be greater than 0'], name: ['Name is required'] };
    const refusal = { error: 'Not valid', code: 'validation', fields };
    const { user, field, press } = await open();
    server.use(refusing('/api/admin/entry-packages', 400, refusal));
    await user.type(field('Name'), 'A');
    await user.type(field('Description'), 'B');
    await press('Create package');
    await waitFor(() =>
      expect(field('Price in dollars')).toHaveAccessibleDescription('Price must be greater than 0'),
    );
    expect(await toast()).toHaveTextContent('Failed to create packageNot valid');
    expect(field('Description')).toHaveValue('B');
  });

  it('warns that it may have been created when no answer came', async () => {
    const { user, dialog, field, press } = await open();
    server.use(http.post('*/api/admin/entry-packages', () => HttpResponse.error()));
    await user.type(field('Name'), 'A');
    await user.type(field('Description'), 'B');
    await press('Create package');
    expect(await toast()).toHaveTextContent('Failed to create packageUnknown error');
    const problem = await within(dialog).findByText(/could not be reached/);
    expect(problem).toHaveAttribute('role', 'alert');
    expect(problem).toHaveTextContent(
      'may have been created anyway: check the list before you try again',
    );
    expect(field('Name')).toHaveValue('A');
  });

  it('can be left', async () => {
    const sent: unknown[] = [];
    server.use(creating(sent));
    const { user, dialog, field, press } = await open();
    await user.type(field('Name'), 'A');
    await press('Cancel');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(dialog).not.toBeInTheDocument();
    expect(sent).toEqual([]);
  });
});

describe('editing a package', () => {
  async function open() {
    const sent: unknown[] = [];
    server.use(
      adminCall('put', 'entry-packages/3', async (request) => {
        const body = (await request.json()) as Partial<PackageView>;
        sent.push(body);
        stored.packages = [aPackage(body)];
        return stored.packages[0]!;
      }),
    );
    const { user } = renderAdmin(TAB);
    await table();
    await user.click(screen.getByRole('button', { name: 'Edit Starter Pack' }));
    const dialog = screen.getByRole('dialog', { name: 'Edit Starter Pack' });
    const field = (label: string) => within(dialog).getByLabelText<HTMLInputElement>(label);
    return { user, sent, dialog, field };
  }

  it('begins with the stored values, and changes them', async () => {
    const { user, sent, dialog, field } = await open();
    expect(field('Name')).toHaveValue('Starter Pack');
    expect(field('Price in dollars')).toHaveValue('5.00');
    await user.click(field('Active'));
    await user.clear(field('Sort order'));
    await user.type(field('Sort order'), '2{Enter}');
    expect(await toast()).toHaveTextContent('Entry package updated successfully');
    expect(dialog).not.toBeInTheDocument();
    await waitFor(async () => expect(await table()).toHaveTextContent('Hidden from users'));
    expect(sent).toEqual([
      {
        name: 'Starter Pack',
        description: 'A few more chances',
        entries: 10,
        price: 500,
        isPopular: false,
        isActive: false,
        sortOrder: 2,
      },
    ]);
  });

  it('keeps what was typed when another tab has deleted it, and refreshes the list', async () => {
    const { user, dialog, field } = await open();
    stored.packages = [];
    server.use(
      http.put('*/api/admin/entry-packages/3', () =>
        HttpResponse.json({ error: 'Not found', code: 'not_found' }, { status: 404 }),
      ),
    );
    await user.type(field('Name'), ' Plus{Enter}');
    expect(await toast()).toHaveTextContent('Failed to update packageNot found');
    expect(await within(dialog).findByText('Not found')).toHaveAttribute('role', 'alert');
    expect(field('Name')).toHaveValue('Starter Pack Plus');
    expect(await screen.findByText('No entry packages yet')).toBeInTheDocument();
  });
});
