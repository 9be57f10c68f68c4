import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it, vi } from 'vitest';
import { anOffer } from '../../../testing/site/builders';
import { renderPath } from '../../../testing/site/renderPath';
import { server } from '../../../testing/server';
import { installStripe, resetStripe } from '../../../testing/site/stripe';

const script = () => document.querySelector('script[src^="https://js.stripe.com/"]');

/** What a browser does where the provider's host is blocked; jsdom loads no scripts at all. */
async function refuse(previous: Element | null = null) {
  await waitFor(() => expect(script()).not.toBe(previous));
  const refused = script();
  refused?.dispatchEvent(new Event('error'));
  return refused;
}

it("says that the provider's script did not load, and tries again when asked", async () => {
  resetStripe();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  server.use(
    http.get('*/api/entry-packages', () => HttpResponse.json(anOffer())),
    http.post('*/api/stripe/create-payment-intent', () =>
      HttpResponse.json({ clientSecret: 'x', paymentIntentId: 'pi_1', eventId: 'e' }),
    ),
  );
  const { user } = await renderPath('/fresh-sips/success/7');
  expect(script()).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Buy 10 entries' }));
  const dialog = await screen.findByRole('dialog');
  await refuse(await refuse()); // the loader tries a second time by itself
  await waitFor(() =>
    expect(within(dialog).getByRole('alert')).toHaveTextContent(
      'Payment failed: Stripe failed to load',
    ),
  );
  installStripe();
  await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
  await waitFor(() => {
    const payButton = within(dialog).getByRole('button', { name: 'Complete Payment' });
    expect(payButton).not.toHaveAttribute('aria-disabled');
  });
  expect(within(dialog).getByRole('alert')).toBeEmptyDOMElement();
});
