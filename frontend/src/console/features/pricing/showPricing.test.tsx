import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { smsSettings } from '../../../testing/console/builders';
import { adminCall, held, never } from '../../../testing/console/handlers';
import { part, renderAdmin, toast } from '../../../testing/console/renderConsole';
import { refusing, server } from '../../../testing/server';
import { installPricing, TAB, stored } from '../../../testing/console/pricing';

installPricing();

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

  it('shows what users see, changes it at once, and confirms it', async () => {
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

  it('goes back when the change fails, and shows an error', async () => {
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
    await waitFor(async () => expect(await pricingSwitch()).not.toBeChecked());
    expect((await screen.findByText('No')).closest('[role="status"]')).toBeInTheDocument();
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

  it('shows a loading state', async () => {
    server.use(http.get('*/api/admin/settings', never));
    renderAdmin(TAB);
    expect(within(await part('Pricing display')).getByText('Loading...')).toBeInTheDocument();
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
  });

  it('can be fetched again after a failure', async () => {
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
