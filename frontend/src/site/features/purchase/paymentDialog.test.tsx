import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { anOffer } from '../../../testing/site/builders';
import { entrant, server } from '../../../testing/server';
import { stripe } from '../../../testing/site/stripe';
import {
  installShop,
  PATH,
  KEY,
  intent,
  selling,
  refuseConfirming,
  buyButton,
  dialog,
  noDialog,
  alertOf,
  toast,
  total,
  openDialog,
  openForm,
} from '../../../testing/site/shop';

installShop();

describe('the dialog', () => {
  it('sums the purchase up, and waits for the form', async () => {
    selling();
    server.use(...entrant({ stats: { totalEntries: 41 } }));
    const { opened, payButton } = await openDialog();
    expect(opened).toHaveTextContent('Starter Pack+10 entries');
    expect(opened).toHaveTextContent('Total$5.00');
    await waitFor(() => expect(opened).toHaveTextContent('Total entries after purchase51'));
    expect(payButton).toHaveAttribute('aria-disabled', 'true');
    expect(within(opened).getByText('Loading the payment form...')).toBeInTheDocument();
    await waitFor(() => expect(payButton).not.toHaveAttribute('aria-disabled'));
    expect(stripe.elements).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ clientSecret: intent.clientSecret }),
    );
  });

  it('mounts the form 500 ms after it opened', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 1 });
    selling();
    await openDialog();
    const before = Date.now();
    expect(stripe.elements).not.toHaveBeenCalled();
    await waitFor(() => expect(stripe.elements).toHaveBeenCalled());
    expect(Date.now() - before).toBeGreaterThan(300); // opening it took some of the time
  });

  it('pays once, credits, closes, and says so', async () => {
    const asked = selling();
    const tracked: unknown[] = [];
    window.tracked = { push: (event) => tracked.push(event) };
    const { user, payButton } = await openForm();
    await user.dblClick(payButton);
    await noDialog();
    expect(await toast()).toHaveTextContent(
      'Purchase successful!10 additional entries have been added to your account.',
    );
    await waitFor(() => expect(total()).toHaveTextContent('11'));
    expect(stripe.confirmPayment).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        confirmParams: { return_url: `${location.origin}${PATH}?package=3` },
        redirect: 'if_required',
      }),
    );
    expect(asked.slice(1)).toEqual([
      {
        path: '/api/confirm-payment',
        body: { paymentIntentId: 'pi_1', userId: 7, packageId: 3 },
      },
    ]);
    expect(tracked).toContainEqual({ kind: 'purchase', eventId: intent.eventId });
    expect(sessionStorage.getItem(KEY)).toBeNull();
    expect(await buyButton()).toHaveFocus();
  });

  it('remembers the purchase from before it is paid', async () => {
    selling();
    stripe.confirmPayment.mockReturnValue(new Promise(() => {}));
    const { user, opened, payButton } = await openForm();
    expect(sessionStorage.getItem(KEY)).toBeNull();
    await user.click(payButton);
    expect(payButton).toHaveTextContent('Processing...');
    expect(JSON.parse(sessionStorage.getItem(KEY) ?? '')).toEqual({
      paymentIntentId: 'pi_1',
      userId: 7,
      packageId: 3,
    });
    await user.click(within(opened).getByRole('button', { name: 'Cancel' }));
    expect(opened).toBeInTheDocument(); // what is under way cannot be taken back here
  });

  it.each([
    ['card_error', 'Your card was declined.', 'Your card was declined.'],
    ['validation_error', 'Your card number is incomplete.', 'Your card number is incomplete.'],
    ['api_error', 'idempotency_key_in_use', 'An unexpected error occurred.'],
  ])('says what the provider says of a %s', async (type, message, shown) => {
    selling();
    stripe.confirmPayment.mockResolvedValueOnce({ error: { type, message } });
    const { user, opened, payButton } = await openForm();
    await user.click(payButton);
    expect(await alertOf(opened)).toHaveTextContent(`Payment failed: ${shown}`);
    expect(await toast()).toHaveTextContent(`Payment failed${shown}`);
    await waitFor(() => expect(payButton).toHaveTextContent('Complete Payment'));
    expect(sessionStorage.getItem(KEY)).toBeNull();
    await user.click(payButton);
    await noDialog();
    expect(stripe.confirmPayment).toHaveBeenCalledTimes(2);
  });

  it('asks the provider when the answer was lost, before anybody pays twice', async () => {
    selling();
    stripe.confirmPayment.mockResolvedValue({ error: { type: 'api_connection_error' } });
    stripe.retrievePaymentIntent.mockResolvedValue({ paymentIntent: { status: 'succeeded' } });
    const { user, payButton } = await openForm();
    await user.click(payButton);
    await noDialog();
    expect(stripe.retrievePaymentIntent).toHaveBeenCalledWith(intent.clientSecret);
    expect(await toast()).toHaveTextContent('Purchase successful!');
  });

  it.each([
    [new Error('The frame is gone'), 'The frame is gone'],
    ['nothing at all', 'Something went wrong. Please try again.'],
  ])('says what the script threw: %s', async (thrown, shown) => {
    selling();
    stripe.confirmPayment.mockRejectedValue(thrown);
    const { user, opened, payButton } = await openForm();
    await user.click(payButton);
    expect(await alertOf(opened)).toHaveTextContent(`Payment failed: ${shown}`);
  });

  it('whose form does not load says so', async () => {
    selling();
    stripe.says = 'loaderror';
    const { opened, payButton } = await openDialog();
    expect(await alertOf(opened)).toHaveTextContent(
      'Payment form error: Failed to load payment form. Please try again.',
    );
    expect(payButton).toHaveAttribute('aria-disabled', 'true');
  });

  it('whose form cannot be set up says so', async () => {
    selling();
    vi.spyOn(console, 'error').mockImplementation(() => {}); // React logs what a boundary caught
    stripe.elements.mockImplementation(() => {
      throw new Error('Invalid value for elements()');
    });
    const { opened } = await openDialog();
    expect(await alertOf(opened)).toHaveTextContent(
      'Payment setup failed: Unable to initialize payment form. Please try again.',
    );
  });

  it("lets a visitor pay again who returns from the card issuer's page without paying", async () => {
    selling();
    stripe.confirmPayment.mockReturnValueOnce(new Promise(() => {}));
    const { user, opened, payButton } = await openForm();
    await user.click(payButton);
    expect(payButton).toHaveTextContent('Processing...');
    const shown = new PageTransitionEvent('pageshow', { persisted: true });
    act(() => void dispatchEvent(shown));
    expect(await alertOf(opened)).toHaveTextContent(
      'Payment failed: Something went wrong. Please try again.',
    );
    await user.click(payButton);
    await noDialog();
    expect(stripe.confirmPayment).toHaveBeenCalledTimes(2);
  });

  it('starts over after Cancel', async () => {
    const asked = selling();
    const { user, opened } = await openForm();
    await user.click(within(opened).getByRole('button', { name: 'Cancel' }));
    await noDialog();
    expect(stripe.confirmPayment).not.toHaveBeenCalled();
    expect(await buyButton()).toHaveFocus();
    await user.click(await buyButton());
    await dialog();
    expect(asked).toHaveLength(2);
  });

  it('is closed by Escape', async () => {
    selling();
    const { opened } = await openForm();
    act(() => void opened.dispatchEvent(new Event('cancel', { cancelable: true })));
    await noDialog();
  });

  it('stays when nothing is sold any more', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    selling();
    const { user, payButton } = await openForm();
    server.use(
      http.get('*/api/entry-packages', () => HttpResponse.json(anOffer({ showPricing: false }))),
    );
    act(() => void dispatchEvent(new Event('focus')));
    await waitFor(() => expect(screen.queryByText('Boost Your Chances')).not.toBeInTheDocument());
    await user.click(payButton);
    expect(await toast()).toHaveTextContent('Purchase successful!');
  });

  it('of a payment that was not confirmed never pays again', async () => {
    selling();
    refuseConfirming(502, 'payment_provider_failed');
    const { user, opened, payButton } = await openForm();
    await user.click(payButton);
    expect(await alertOf(opened)).toHaveTextContent(
      'Purchase confirmation failed: Payment confirmation failed',
    );
    expect(opened).toHaveTextContent("You don't need to pay again.");
    expect(within(opened).queryByRole('button', { name: 'Complete Payment' })).toBeNull();
    selling();
    await user.click(within(opened).getByRole('button', { name: 'Try again' }));
    await noDialog();
    expect(stripe.confirmPayment).toHaveBeenCalledTimes(1);
    expect(await toast()).toHaveTextContent('Purchase successful!');
  });

  it('closed before the payment was confirmed leaves it to the page', async () => {
    selling();
    refuseConfirming(502, 'payment_provider_failed');
    const { user, opened, payButton } = await openForm();
    await user.click(payButton);
    await alertOf(opened);
    selling();
    await user.click(within(opened).getByRole('button', { name: 'Close' }));
    await noDialog();
    await waitFor(() => expect(total()).toHaveTextContent('11'));
  });

  it('closes when the provider will know later, and the page goes on asking', async () => {
    selling();
    stripe.confirmPayment.mockResolvedValue({ paymentIntent: { status: 'processing' } });
    refuseConfirming(409, 'payment_not_confirmed');
    const { user, payButton } = await openForm();
    await user.click(payButton);
    await noDialog();
    expect(await screen.findByText(/^We're checking your payment/)).toBeInTheDocument();
  });
});
