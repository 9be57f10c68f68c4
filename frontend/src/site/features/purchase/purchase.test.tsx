import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { aPackage, anOffer, someReferrals, someStats } from '../../../testing/site/builders';
import { renderPath } from '../../../testing/site/renderPath';
import { entrant, refusing, server } from '../../../testing/server';
import { installStripe, resetStripe, stripe } from '../../../testing/site/stripe';
import type { Offer } from './api';

const PATH = '/garden-bag/success/7';
const KEY = 'tombola.purchase';
const intent = { clientSecret: 'pi_1_secret_2', paymentIntentId: 'pi_1', eventId: 'abc123abc123' };

interface Asked {
  path: string;
  body: unknown;
}

/** A server that sells, and credits what is confirmed. */
function selling(offer: Partial<Offer> = {}) {
  const asked: Asked[] = [];
  let paidEntries = 0;
  const listen = async (request: Request) => {
    asked.push({ path: new URL(request.url).pathname, body: await request.json() });
  };
  server.use(
    http.get('*/api/entry-packages', () => HttpResponse.json(anOffer(offer))),
    http.get('*/api/users/:id/stats', () =>
      HttpResponse.json(someStats({ totalEntries: 1 + paidEntries, paidEntries })),
    ),
    http.post('*/api/stripe/create-payment-intent', async ({ request }) => {
      await listen(request);
      return HttpResponse.json(intent);
    }),
    http.post('*/api/confirm-payment', async ({ request }) => {
      await listen(request);
      paidEntries = 10;
      return HttpResponse.json({ eventId: intent.eventId, entriesAdded: 10 });
    }),
  );
  return asked;
}

const refuseConfirming = (status: number, code: string) =>
  server.use(
    refusing('/api/confirm-payment', status, { error: 'Payment confirmation failed', code }),
  );

const block = () => screen.findByRole('region', { name: 'Boost Your Chances' });
const buyButton = (name = 'Buy 10 entries') => screen.findByRole('button', { name });
const dialog = () => screen.findByRole('dialog', { name: 'Complete Your Purchase' });
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
const alertOf = async (part: HTMLElement) => {
  const alert = within(part).getByRole('alert');
  await waitFor(() => expect(alert).not.toBeEmptyDOMElement());
  return alert;
};
const toast = async () =>
  within(await screen.findByRole('region', { name: /Notifications/ })).findByRole('listitem');
const total = () => screen.getByText('Total Entries').closest('div');
const referralLink = () => screen.findByLabelText('Your referral link');

/** Opens the dialog, and waits for the provider's form. */
async function openDialog() {
  const { user } = await renderPath(PATH);
  await user.click(await buyButton());
  const opened = await dialog();
  const payButton = within(opened).getByRole('button', { name: 'Complete Payment' });
  return { user, opened, payButton };
}

async function openForm() {
  const open = await openDialog();
  await waitFor(() => expect(open.payButton).not.toHaveAttribute('aria-disabled'));
  return open;
}

beforeAll(() => {
  installStripe();
  vi.stubGlobal('matchMedia', () => ({ matches: false })); // jsdom has none
});
beforeEach(() => {
  resetStripe();
  sessionStorage.clear();
});
afterEach(() => {
  delete window.tracked;
  vi.useRealTimers();
});

describe('what is sold', () => {
  it.each([
    '/garden-bag/success/7',
    '/fresh-sips/success/7',
    '/kitchen-garden/success/7',
    '/sustainable-living/success/7',
    '/success/7',
  ])('stands on %s, after the share card and before the friends', async (path) => {
    selling();
    server.use(http.get('*/api/users/:id/referrals', () => HttpResponse.json(someReferrals(1))));
    await renderPath(path);
    await block();
    const headings = screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent);
    expect(headings.slice(0, 3)).toEqual([
      expect.stringContaining('Double Your Chances'),
      'Boost Your Chances',
      expect.stringContaining('Referrals'),
    ]);
  });

  it('is shown with its entries, price, cost per entry and marks', async () => {
    selling({
      packages: [
        aPackage({ name: 'Mega Pack', entries: 300, price: 500, isPopular: true }),
        aPackage({ id: 4, name: 'One', entries: 1, price: 123456 }),
      ],
    });
    await renderPath(PATH);
    const [mega, one] = within(await block()).getAllByRole('listitem');
    expect(mega).toHaveTextContent('Mega Pack');
    expect(mega).toHaveTextContent('A few more tickets in the drum.');
    expect(mega).toHaveTextContent('300 entries');
    expect(mega).toHaveTextContent('$5.00');
    expect(mega).toHaveTextContent('$0.017 per entry');
    expect(mega).toHaveTextContent('Popular');
    expect(mega?.querySelector('svg')).toHaveAttribute('data-icon', 'mega');
    expect(one).toHaveTextContent('1 entry');
    expect(one).toHaveTextContent('$1,234.56');
    expect(one).not.toHaveTextContent('Popular');
    expect(one?.querySelector('svg')).toHaveAttribute('data-icon', 'ticket');
  });

  it.each([
    ['the switch is off', { showPricing: false }],
    ['there is no package', { packages: [] }],
    ['no provider is configured', { publishableKey: null }],
  ])('is not there when %s', async (_, offer) => {
    selling(offer);
    server.use(http.get('*/api/users/:id/referrals', () => HttpResponse.json(someReferrals(1))));
    await renderPath(PATH);
    await screen.findByText('Your Referrals');
    expect(screen.queryByText('Boost Your Chances')).not.toBeInTheDocument();
  });

  it('is not there when the list cannot be read, and the friends are', async () => {
    server.use(refusing('/api/entry-packages', 500, { error: 'Away' }));
    server.use(...entrant({ referrals: someReferrals(1) }));
    await renderPath(PATH);
    await screen.findByText('Your Referrals');
    expect(screen.queryByText('Boost Your Chances')).not.toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('keeps the friends waiting for as long as it is not known', async () => {
    server.use(http.get('*/api/entry-packages', () => delay('infinite')));
    server.use(...entrant({ referrals: someReferrals(1) }));
    await renderPath(PATH);
    await referralLink();
    await waitFor(() => expect(total()).toHaveTextContent('1'));
    expect(screen.queryByText('Your Referrals')).not.toBeInTheDocument();
  });

  it('comes and goes with the switch, on an open page', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    selling();
    await renderPath(PATH);
    await block();
    selling({ showPricing: false });
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    await waitFor(() => expect(screen.queryByText('Boost Your Chances')).not.toBeInTheDocument());
    selling();
    act(() => void dispatchEvent(new Event('focus')));
    expect(await block()).toBeInTheDocument();
  });

  it('tells the tracking script that packages were shown', async () => {
    const tracked: unknown[] = [];
    window.tracked = { push: (event) => tracked.push(event) };
    selling();
    await renderPath(PATH);
    await block();
    await waitFor(() => expect(tracked).toEqual([{ kind: 'packages_shown' }]));
  });
});

describe('starting a purchase', () => {
  it('asks for the payment once, however often the button is pressed', async () => {
    const asked = selling();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    server.use(
      http.post('*/api/stripe/create-payment-intent', async () => {
        await answered;
        return undefined; // on to the usual answer
      }),
    );
    const { user } = await renderPath(PATH);
    await user.dblClick(await buyButton());
    const button = await screen.findByRole('button', { name: 'Processing...' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await user.click(button);
    answer();
    await dialog();
    expect(asked).toEqual([
      {
        path: '/api/stripe/create-payment-intent',
        body: { userId: 7, amount: 500, entriesAdded: 10, packageId: 3 },
      },
    ]);
    expect(await buyButton()).not.toHaveAttribute('aria-disabled');
  });

  it.each([
    [403, 'Purchases are not available right now', 'purchases_unavailable'],
    [502, 'Failed to create payment intent', 'payment_intent_failed'],
    [503, 'Payments are not configured', 'payments_not_configured'],
  ])('that the server refuses with %i says why', async (status, error, code) => {
    selling();
    server.use(refusing('/api/stripe/create-payment-intent', status, { error, code }));
    const { user } = await renderPath(PATH);
    await user.click(await buyButton());
    expect(await alertOf(await block())).toHaveTextContent(`Payment Failed: ${error}`);
    expect(await toast()).toHaveTextContent(`Payment Failed${error}`);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(await buyButton()).not.toHaveAttribute('aria-disabled');
  });

  it('too often says when to try again', async () => {
    selling();
    const refused = { error: 'Too many requests', code: 'rate_limited' };
    server.use(
      refusing('/api/stripe/create-payment-intent', 429, refused, { 'Retry-After': '30' }),
    );
    const { user } = await renderPath(PATH);
    await user.click(await buyButton());
    expect(await toast()).toHaveTextContent('Please try again in 30 seconds.');
  });

  it('without a readable answer says so', async () => {
    selling();
    server.use(http.post('*/api/stripe/create-payment-intent', () => HttpResponse.text('<html>')));
    const { user } = await renderPath(PATH);
    await user.click(await buyButton());
    expect(await toast()).toHaveTextContent('Purchase FailedFailed to create payment');
  });
});

describe('the dialog', () => {
  it('sums the purchase up, and waits for the form', async () => {
    selling();
    server.use(...entrant({ stats: { totalEntries: 41 } }));
    const { opened, payButton } = await openDialog();
    expect(opened).toHaveTextContent('Starter Pack+10 entries');
    expect(opened).toHaveTextContent('To pay$5.00');
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
    expect(payButton).toHaveTextContent('Complete Payment');
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

  it('can be gone on with by who comes back from the issuer without an answer', async () => {
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

  it('starts anew after Cancel', async () => {
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
    expect(opened).toHaveTextContent('You need not pay again.');
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
    expect(await screen.findByText(/^We are checking your payment/)).toBeInTheDocument();
  });
});

describe('coming back', () => {
  const returned = (status: string) =>
    `${PATH}?package=3&payment_intent=pi_1&payment_intent_client_secret=x&redirect_status=${status}`;
  const remembered = () =>
    sessionStorage.setItem(
      KEY,
      JSON.stringify({ paymentIntentId: 'pi_1', userId: 7, packageId: 3 }),
    );
  const body = { paymentIntentId: 'pi_1', userId: 7, packageId: 3 };

  it("from the provider's pages finishes the purchase and cleans the address", async () => {
    const asked = selling({ showPricing: false });
    await renderPath(returned('succeeded'));
    expect(await toast()).toHaveTextContent('Purchase successful!');
    expect(asked).toEqual([{ path: '/api/confirm-payment', body }]);
    expect(location.pathname + location.search).toBe(PATH);
    await waitFor(() => expect(total()).toHaveTextContent('11'));
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  it('without having paid says so', async () => {
    const asked = selling();
    await renderPath(returned('failed'));
    expect(await toast()).toHaveTextContent(
      'Payment failedSomething went wrong. Please try again.',
    );
    expect(asked).toEqual([]);
    expect(location.search).toBe('');
  });

  it('after a reload between paying and confirming shows the entries', async () => {
    selling();
    remembered();
    await renderPath(PATH);
    expect(await toast()).toHaveTextContent('Purchase successful!');
    await waitFor(() => expect(total()).toHaveTextContent('11'));
  });

  it("leaves another entrant's purchase alone", async () => {
    const asked = selling();
    remembered();
    await renderPath('/garden-bag/success/8');
    await block();
    expect(asked).toEqual([]);
  });

  it('shows what the webhook credited, even while the server cannot confirm', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    selling();
    refuseConfirming(502, 'payment_provider_failed');
    remembered();
    await renderPath(PATH);
    await screen.findByText(/^We are checking your payment/);
    server.use(
      http.get('*/api/users/:id/stats', () => HttpResponse.json(someStats({ totalEntries: 11 }))),
    );
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await waitFor(() => expect(total()).toHaveTextContent('11'));
  });

  it('gives up after a minute, and can be asked to go on', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    selling();
    refuseConfirming(502, 'payment_provider_failed');
    remembered();
    const { user } = await renderPath(PATH);
    await screen.findByText(/^We are checking your payment/);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    const alert = await screen.findByText(/^Purchase confirmation failed:/);
    expect(alert).toHaveTextContent('Payment confirmation failed');
    expect(sessionStorage.getItem(KEY)).not.toBeNull();
    selling();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await toast()).toHaveTextContent('Purchase successful!');
    await waitFor(() => expect(alert).not.toBeInTheDocument());
  });

  it('to a payment that never went through says so, once', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    selling();
    refuseConfirming(409, 'payment_not_confirmed');
    remembered();
    await renderPath(PATH);
    await screen.findByText(/^We are checking your payment/);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(await screen.findByText(/^Your last payment has not gone through/)).toBeInTheDocument();
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });

  it("does not ask twice for somebody else's", async () => {
    selling();
    refuseConfirming(403, 'not_your_payment');
    remembered();
    await renderPath(PATH);
    expect(await toast()).toHaveTextContent('Purchase confirmation failed');
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    expect(sessionStorage.getItem(KEY)).toBeNull();
  });
});
