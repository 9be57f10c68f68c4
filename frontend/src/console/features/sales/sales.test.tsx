import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminCall } from '../../../testing/console/handlers';
import { renderAdmin, rowsOf } from '../../../testing/console/renderConsole';
import { aSale, sold, someSales } from '../../../testing/console/sales';
import { server } from '../../../testing/server';

const SALES = '?section=sales';

describe('the section Sales', () => {
  const asked = { sales: [] as string[], purchases: [] as string[] };

  const answering = (purchases = [aSale()], total = purchases.length, isTotalExact = true) => [
    adminCall('get', 'sales', ({ url }) => {
      asked.sales.push(new URL(url).search);
      return someSales();
    }),
    adminCall('get', 'purchases', ({ url }) => {
      asked.purchases.push(new URL(url).search);
      return { purchases, total, isTotalExact };
    }),
  ];

  beforeEach(() => {
    asked.sales.length = 0;
    asked.purchases.length = 0;
    server.use(...answering());
  });

  it('adds up what was sold, by month, raffle and package', async () => {
    renderAdmin(SALES);
    const figures = await screen.findByRole('group', { name: 'Sales' });
    expect(figures).toHaveTextContent(
      'Revenue$49.98after refundsSold$59.97Sent back$9.99Purchases3',
    );
    const table = (name: string) => rowsOf(screen.getByRole('table', { name }));
    expect(table('What was sold by month')).toEqual([
      ['November 2026', '2', '$39.98', '$9.99', '$29.99'],
      ['October 2026', '1', '$19.99', '$0.00', '$19.99'],
    ]);
    expect(table('What was sold by raffle')[0]).toEqual([
      'Garden Bag Essentials',
      '2',
      '$39.98',
      '$0.00',
      '$39.98',
    ]);
    expect(table('What was sold by package').map(([name]) => name)).toEqual([
      'Starter Pack',
      'A deleted package',
    ]);
  });

  it('says so when nothing was sold', async () => {
    const nothing = { total: sold(0), byMonth: [], byRaffle: [], byPackage: [] };
    server.use(
      adminCall('get', 'sales', nothing),
      adminCall('get', 'purchases', { purchases: [], total: 0, isTotalExact: true }),
    );
    renderAdmin(SALES);
    expect(await screen.findByText('Nothing was sold in these days')).toBeVisible();
    expect(await screen.findByText('Nobody has bought anything yet')).toBeVisible();
  });

  it('lists purchases with what became of them, and leads to the buyer', async () => {
    const refunded = aSale({ id: 2, state: 'partly_refunded', returned: 999, package: null });
    const waiting = aSale({ id: 1, state: 'waiting', paidAt: null, payment: null });
    server.use(...answering([aSale(), refunded, waiting]));
    renderAdmin(SALES);
    const table = await screen.findByRole('table', { name: /^Purchases, with/ });
    const rows = rowsOf(table).map(([, ...afterDate]) => afterDate);
    const buyer = '***-***-0102';
    const page = 'Garden Bag Essentials';
    expect(rows).toEqual([
      [buyer, page, 'Starter Pack', '50', '$19.99', '–', 'Paid'],
      [buyer, page, 'A deleted package', '50', '$19.99', '$9.99', 'Partly refunded'],
      [buyer, page, 'Starter Pack', '50', '$19.99', '–', 'Not paid yet'],
    ]);
    expect(within(table).getAllByRole('link', { name: buyer })[0]).toHaveAttribute(
      'href',
      expect.stringContaining('person=7'),
    );
  });

  it('keeps days and filters in the address, and asks for them', async () => {
    renderAdmin(`${SALES}&startDate=2026-11-01&endDate=2026-11-30&state=disputed&search=0102`);
    await screen.findByRole('table', { name: /^Purchases, with/ });
    expect(asked.sales).toEqual(['?startDate=2026-11-01&endDate=2026-11-30']);
    const search = new URLSearchParams(asked.purchases[0]);
    expect(Object.fromEntries(search)).toEqual({
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      state: 'disputed',
      search: '0102',
      limit: '25',
      offset: '0',
    });
    expect(screen.getByLabelText('State')).toHaveValue('disputed');
  });

  it('exports all that match', async () => {
    const exported: string[] = [];
    server.use(
      http.get('*/api/admin/purchases/export', ({ request }) => {
        exported.push(new URL(request.url).search);
        return HttpResponse.text('id\r\n');
      }),
    );
    const { user } = renderAdmin(`${SALES}&state=refunded`);
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
    expect(exported).toEqual(['?state=refunded']);
  });

  it('finds nothing by a text that cannot be searched for, and says what can', async () => {
    server.use(
      http.get('*/api/admin/purchases', () =>
        HttpResponse.json(
          {
            error: 'Please check the marked fields.',
            code: 'validation',
            fields: { search: ['No'] },
          },
          { status: 400 },
        ),
      ),
    );
    renderAdmin(`${SALES}&search=kim`);
    expect(await screen.findByText('Nothing matches')).toBeVisible();
    expect(screen.getByText(/^Search by number, .* or a payment such as pi_123\.$/)).toBeVisible();
    expect(screen.queryByText(/marked fields/)).not.toBeInTheDocument();
  });

  it('says when there are more than are counted', async () => {
    server.use(...answering([aSale()], 1000, false));
    renderAdmin(SALES);
    expect(await screen.findByText(/More than 1,000 match/)).toBeVisible();
  });
});
