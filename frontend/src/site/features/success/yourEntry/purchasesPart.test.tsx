import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../../../testing/site/builders';
import { renderPath } from '../../../../testing/site/renderPath';
import { entrant, refusing, server } from '../../../../testing/server';

const PAGE = '/garden-bag/success/7/your-entry';
const RECEIPT = 'https://pay.stripe.com/receipts/1';

const bought = () => {
  const purchase = (id: number, entriesAdded: number, status: string) => ({
    ...{ id, entriesAdded, status },
    amount: 500 * id,
    createdAt: `2026-11-2${id}T17:00:00Z`,
  });
  const purchases = [
    purchase(3, 100, 'refunding'),
    purchase(2, 50, 'refunded'),
    purchase(1, 1, 'completed'),
  ];
  server.use(http.get('*/api/users/7/purchases', () => HttpResponse.json({ purchases })));
};

afterEach(() => vi.unstubAllGlobals());

describe('what one bought', () => {
  it('is listed with date, entries, price and state', async () => {
    bought();
    await renderPath(PAGE);
    const part = await screen.findByRole('region', { name: 'What you bought' });
    const lines = within(part).getAllByRole('listitem');
    expect(lines.map((line) => line.textContent)).toEqual([
      '100 entries for $15.00November 23, 2026. Being refunded.Receipt',
      '50 entries for $10.00November 22, 2026. Refunded.Receipt',
      '1 entry for $5.00November 21, 2026. Paid.Receipt',
    ]);
  });

  it('opens the receipt of the payment provider, once', async () => {
    bought();
    const asked = vi.fn();
    server.use(
      http.get('*/api/users/7/purchases/:id/receipt', ({ params }) => {
        asked(params.id);
        return HttpResponse.json({ url: RECEIPT });
      }),
    );
    const { user } = await renderPath(PAGE);
    const button = await screen.findByRole('button', { name: 'Receipt', description: /^50/ });
    const assign = vi.fn();
    vi.stubGlobal('location', { ...location, assign });
    await user.dblClick(button);
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(RECEIPT));
    expect(asked).toHaveBeenCalledExactlyOnceWith('2');
  });

  it('says why there is no receipt', async () => {
    bought();
    const error = 'We could not get the receipt from our payment provider. Please try again.';
    server.use(
      refusing('/api/users/7/purchases/2/receipt', 502, { error, code: 'receipt_failed' }),
    );
    const { user } = await renderPath(PAGE);
    await user.click(await screen.findByRole('button', { name: 'Receipt', description: /^50/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent(error);
  });

  it('is not there before the first purchase', async () => {
    await renderPath(PAGE);
    await screen.findByText('Texts about raffles');
    expect(screen.queryByText('What you bought')).toBeNull();
  });

  it('is not asked for in another browser', async () => {
    const asked = vi.fn();
    server.use(
      ...entrant({ user: aUser({ phoneNumber: '***-***-4567' }) }),
      http.get('*/api/users/7/purchases', asked),
    );
    await renderPath(PAGE);
    await screen.findByText(/^Only the browser that you entered with/);
    expect(asked).not.toHaveBeenCalled();
  });

  it('can be asked for again when it did not arrive', async () => {
    server.use(refusing('/api/users/7/purchases', 503, { error: 'Away' }));
    const { user } = await renderPath(PAGE);
    await screen.findByRole('alert');
    bought();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('What you bought')).toBeInTheDocument();
  });
});
