import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PackageView } from '../../api/admin';
import { aPackage, smsSettings } from '../../../testing/console/builders';
import { adminCall, never } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';

const TAB = '?section=analytics&tab=pricing';

/** Answers from what a test changes. */
const stored = { packages: [] as PackageView[], showPricing: false };

const offering = (publishableKey: string | null) =>
  http.get('*/api/entry-packages', () =>
    HttpResponse.json({ packages: [], showPricing: stored.showPricing, publishableKey }),
  );

beforeEach(() => {
  stored.packages = [aPackage()];
  stored.showPricing = false;
  server.use(
    offering('pk_test_1'),
    adminCall('get', 'entry-packages', () => ({ packages: stored.packages })),
    adminCall('get', 'settings', () => ({
      settings: { showPricing: stored.showPricing, sms: smsSettings() },
    })),
  );
});

/** Resolved when a test says so. */
function held() {
  let release = () => {};
  const answered = new Promise<void>((resolve) => (release = resolve));
  return { answered, release };
}

const part = (name: string) => screen.findByRole('region', { name });
const table = () => screen.findByRole('table', { name: /What users can buy/ });

describe('the pricing switch', () => {
  const pricingSwitch = () => screen.findByRole('switch', { name: 'Show pricing' });

  function updating(sent: unknown[], answered = Promise.resolve()) {
    return adminCall('post', 'settings', async (request) => {
      const body = (await request.json()) as { showPricing: boolean };
      sent.push(body);
      await answered;
      stored.showPricing = body.showPricing;
      return { settings: { ...body, sms: smsSettings() } };
    });
  }

  it('shows what users see, changes it at once, and says so', async () => {
    const sent: unknown[] = [];
    const { answered, release } = held();
    server.use(updating(sent, answered));
    const { user } = renderAdmin(TAB);
    expect(await pricingSwitch()).not.toBeChecked();
    expect(await pricingSwitch()).toHaveAccessibleDescription(/nothing can be bought/);
    await user.click(await pricingSwitch());
    expect(await pricingSwitch()).toBeChecked();
    expect(screen.queryByText('Pricing display updated')).not.toBeInTheDocument();
    release();
    expect(await toast()).toHaveTextContent(
      'Pricing display updatedChanges will take effect immediately for users.',
    );
    expect(await pricingSwitch()).toHaveAccessibleDescription(/all active packages/);
    expect(sent).toEqual([{ showPricing: true }]);
  });

  it('is pressed once by a double click and while it is under way', async () => {
    const sent: unknown[] = [];
    const { answered, release } = held();
    server.use(updating(sent, answered));
    const { user } = renderAdmin(TAB);
    await user.dblClick(await pricingSwitch());
    await user.click(await pricingSwitch());
    await user.keyboard(' ');
    expect(await pricingSwitch()).toHaveAttribute('aria-disabled', 'true');
    expect(await pricingSwitch()).toHaveFocus();
    release();
    await toast();
    expect(await pricingSwitch()).toBeChecked();
    expect(sent).toEqual([{ showPricing: true }]);
  });

  it('goes back when that failed, and says so', async () => {
    const { answered, release } = held();
    server.use(
      http.post('*/api/admin/settings', async () => {
        await answered;
        return new HttpResponse('{"error": "No"}', { status: 500 });
      }),
    );
    const { user } = renderAdmin(TAB);
    await user.click(await pricingSwitch());
    expect(await pricingSwitch()).toBeChecked();
    release();
    expect(await toast()).toHaveTextContent('Failed to update settingsPlease try again later.');
    expect(await pricingSwitch()).not.toBeChecked();
    expect(await screen.findByText('No')).toHaveAttribute('role', 'status');
  });

  it('shows what is stored when the answer was lost', async () => {
    server.use(
      http.post('*/api/admin/settings', () => {
        stored.showPricing = true;
        return HttpResponse.error();
      }),
    );
    const { user } = renderAdmin(TAB);
    await user.click(await pricingSwitch());
    expect(await toast()).toHaveTextContent('Failed to update settings');
    await waitFor(async () => expect(await pricingSwitch()).toBeChecked());
  });

  it('waits in its place', async () => {
    server.use(http.get('*/api/admin/settings', never));
    renderAdmin(TAB);
    expect(within(await part('Pricing display')).getByText('Loading...')).toBeInTheDocument();
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
  });

  it('that did not arrive is asked for again', async () => {
    server.use(refusing('/api/admin/settings', 500, { error: 'Broken' }));
    const { user } = renderAdmin(TAB);
    const card = await part('Pricing display');
    expect(await within(card).findByRole('alert')).toHaveTextContent('Broken');
    server.use(
      adminCall('get', 'settings', { settings: { showPricing: true, sms: smsSettings() } }),
    );
    await user.click(within(card).getByRole('button', { name: 'Try again' }));
    expect(await pricingSwitch()).toBeChecked();
  });
});

describe('payments', () => {
  it('that are not configured say what to set', async () => {
    server.use(offering(null));
    renderAdmin(TAB);
    const card = await part('Payments');
    expect(await within(card).findByText('Payments are not configured')).toBeInTheDocument();
    const names = within(card)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(names).toEqual(['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']);
  });

  it('that are configured say so', async () => {
    renderAdmin(TAB);
    const card = await part('Payments');
    expect(await within(card).findByText(/provider is configured/)).toBeInTheDocument();
    expect(within(card).queryByText('Payments are not configured')).not.toBeInTheDocument();
  });

  it('that are not known yet claim nothing', async () => {
    server.use(http.get('*/api/entry-packages', never));
    renderAdmin(TAB);
    expect(within(await part('Payments')).getByText('Loading...')).toBeInTheDocument();
  });

  it('that could not be asked about are asked about again', async () => {
    server.use(refusing('/api/entry-packages', 429, { error: 'Slow' }, { 'Retry-After': '5' }));
    const { user } = renderAdmin(TAB);
    const card = await part('Payments');
    expect(await within(card).findByRole('alert')).toHaveTextContent('try again in 5 seconds');
    server.use(offering(null));
    await user.click(within(card).getByRole('button', { name: 'Try again' }));
    expect(await within(card).findByText('Payments are not configured')).toBeInTheDocument();
  });
});

describe('the packages', () => {
  it('are listed with their price in dollars, and who is hidden', async () => {
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

  it('wait in their place', async () => {
    server.use(http.get('*/api/admin/entry-packages', never));
    renderAdmin(TAB);
    expect(within(await part('Entry packages')).getByText('Loading...')).toBeInTheDocument();
  });

  it('that did not arrive are asked for again', async () => {
    server.use(refusing('/api/admin/entry-packages', 503, '', { 'Retry-After': '3' }));
    const { user } = renderAdmin(TAB);
    const card = await part('Entry packages');
    expect(await within(card).findByRole('alert')).toHaveTextContent('try again in 3 seconds');
    server.use(adminCall('get', 'entry-packages', { packages: [aPackage()] }));
    await user.click(within(card).getByRole('button', { name: 'Try again' }));
    await table();
  });
});

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

  it('cannot be bought for less than Stripe charges, which is said before it is saved', async () => {
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

  it('is created once, listed, and said so', async () => {
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

  it('that is not whole says what is missing, and sends nothing', async () => {
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

  it('of which no answer came is not created a second time unawares', async () => {
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

  it('begins with what it is, and changes it', async () => {
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

  it('that another tab has deleted keeps what was typed, and shows the list as it is', async () => {
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

  it('that failed says why', async () => {
    server.use(refusing('/api/admin/entry-packages/3', 404, { error: 'Not found' }));
    const { user, dialog, button } = await open();
    await user.click(button);
    expect(await toast()).toHaveTextContent('Failed to delete packageNot found');
    expect(await within(dialog).findByText('Not found')).toHaveAttribute('role', 'alert');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(await table()).toHaveTextContent('Starter Pack');
  });
});
