import { act, screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  aFreeOffer,
  aHold,
  anOffer,
  aPackage,
  someReferrals,
} from '../../../testing/site/builders';
import { renderPath } from '../../../testing/site/renderPath';
import { turnCodesOn } from '../../../testing/site/codes';
import { entrant, refusing, server } from '../../../testing/server';
import {
  installShop,
  PATH,
  selling,
  block,
  buyButton,
  dialog,
  alertOf,
  toast,
  total,
  referralLink,
} from '../../../testing/site/shop';

installShop();
afterEach(() => document.head.replaceChildren());

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

  it('is not sold to an entrant whose entries are on hold, who does not read of being entered', async () => {
    selling();
    server.use(
      http.get('*/api/users/:id/appeal', () => HttpResponse.json(aHold())),
      http.get('*/api/users/:id/referrals', () => HttpResponse.json(someReferrals(1))),
    );
    await renderPath(PATH);
    expect(await screen.findByText('For now, they take part in no drawing.')).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: /Referrals/ })).toBeInTheDocument();
    expect(screen.queryByText(/^You're entered/)).not.toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Boost Your Chances' })).not.toBeInTheDocument();
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
    expect(mega).toHaveTextContent('$0.02 per entry');
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

  it('is asked for once a minute, and on focus, while nothing is sold', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let asked = 0;
    server.use(
      http.get('*/api/entry-packages', () => {
        asked += 1;
        return HttpResponse.json(anOffer({ showPricing: false }));
      }),
    );
    await renderPath(PATH);
    await waitFor(() => expect(asked).toBe(1));
    await act(() => vi.advanceTimersByTimeAsync(50_000));
    expect(asked).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(asked).toBe(2);
    act(() => void dispatchEvent(new Event('focus')));
    await waitFor(() => expect(asked).toBe(3));
  });

  it('tells the tracking script that packages were shown', async () => {
    const tracked: unknown[] = [];
    window.tracked = { push: (event) => tracked.push(event) };
    selling();
    await renderPath(PATH);
    await block();
    await waitFor(() => expect(tracked).toEqual([{ kind: 'custom', name: 'packages_shown' }]));
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

  it('that do not fit are disabled, and their cards say why', async () => {
    selling({ packages: [aPackage(), aPackage({ id: 4, name: 'Bundle', entries: 50 })] });
    const used = (used: number) =>
      server.use(
        http.get('*/api/users/:id/free-entries', () =>
          HttpResponse.json(aFreeOffer({ entries: 0, isClaimed: true, used })),
        ),
      );
    used(88);
    const { user } = await renderPath(PATH);
    const large = await buyButton('Buy 50 entries');
    await waitFor(() => expect(large).toHaveAttribute('aria-disabled', 'true'));
    expect(large).toHaveAccessibleDescription(
      /Bundle You can add up to 12 more entries this month/,
    );
    expect(await buyButton()).not.toHaveAttribute('aria-disabled');
    await user.click(large);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    used(100);
    await user.click(await buyButton());
    await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }));
    await waitFor(() =>
      expect(large).toHaveAccessibleDescription(
        /You have all the entries that one person can add in a month/,
      ),
    );
    expect(await buyButton()).toHaveAttribute('aria-disabled', 'true');
  });

  it('that cannot be bought says so at its card', async () => {
    selling({ packages: [aPackage(), aPackage({ id: 4, entries: 50 })] });
    const refused = { error: 'Purchases are not available right now', code: 'any' };
    server.use(refusing('/api/stripe/create-payment-intent', 403, refused));
    const { user } = await renderPath(PATH);
    await user.click(await buyButton());
    const alert = await alertOf(await block());
    expect(alert.closest('li')).toContainElement(await buyButton());
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

describe('a browser that has not proved the number', () => {
  const words = 'Enter your number again to buy entries.';
  const wayBack = async () =>
    within(await block()).getByRole('link', { name: 'Enter your number' });
  const elsewhere = entrant({
    user: { phoneNumber: '***-***-4567', landingPage: 'fresh-sips' },
  })[0]!;

  it('gets the way to do so in the place of the buttons', async () => {
    turnCodesOn();
    selling();
    server.use(elsewhere);
    await renderPath(PATH);
    expect(await wayBack()).toHaveAttribute('href', '/fresh-sips');
    expect(within(await block()).getByText(words)).toBeVisible();
    expect(within(await block()).getByText('Starter Pack')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Buy/ })).not.toBeInTheDocument();
  });

  it.each([
    ['no code is needed', () => undefined, elsewhere],
    ['it is the browser that entered the number', turnCodesOn, entrant({})[0]!],
  ])('gets the buttons when %s', async (_, prepare, handler) => {
    prepare();
    selling();
    server.use(handler);
    await renderPath(PATH);
    expect(await buyButton()).toBeVisible();
    expect(screen.queryByText(words)).not.toBeInTheDocument();
  });

  it('gets it too when only the server knows, with the focus of the button', async () => {
    selling();
    server.use(
      refusing('/api/stripe/create-payment-intent', 403, {
        error: 'Please enter your number again before you buy.',
        code: 'verification_required',
      }),
    );
    const { user } = await renderPath(PATH);
    await user.click(await buyButton());
    expect(await wayBack()).toHaveAttribute('href', '/garden-bag');
    expect(screen.getByText(words)).toHaveFocus();
    expect(screen.queryByRole('button', { name: /^Buy/ })).not.toBeInTheDocument();
    expect(screen.queryByText(/Failed/)).not.toBeInTheDocument();
  });
});
