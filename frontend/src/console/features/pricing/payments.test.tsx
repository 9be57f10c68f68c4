import { within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { never } from '../../../testing/console/handlers';
import { part, renderAdmin } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { installPricing, TAB, offering } from '../../../testing/console/pricing';

installPricing();

describe('payments', () => {
  it('list the settings that are missing when they are not configured', async () => {
    server.use(offering(null));
    renderAdmin(TAB);
    const card = await part('Payments');
    expect(await within(card).findByText('Payments are not configured')).toBeInTheDocument();
    const names = within(card)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(names).toEqual(['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']);
  });

  it('show that they are configured', async () => {
    renderAdmin(TAB);
    const card = await part('Payments');
    expect(await within(card).findByText(/provider is configured/)).toBeInTheDocument();
    expect(within(card).queryByText('Payments are not configured')).not.toBeInTheDocument();
  });

  it('show a loading state', async () => {
    server.use(http.get('*/api/entry-packages', never));
    renderAdmin(TAB);
    expect(within(await part('Payments')).getByText('Loading...')).toBeInTheDocument();
  });

  it('can be fetched again after a failure', async () => {
    server.use(refusing('/api/entry-packages', 429, { error: 'Slow' }, { 'Retry-After': '5' }));
    const { user } = renderAdmin(TAB);
    const card = await part('Payments');
    expect(await within(card).findByRole('alert')).toHaveTextContent('try again in 5 seconds');
    server.use(offering(null));
    await user.click(within(card).getByRole('button', { name: 'Try again' }));
    expect(await within(card).findByText('Payments are not configured')).toBeInTheDocument();
  });
});
