import type { GetSalesApiResponse, ListedPurchaseView, SoldView } from '../../console/api/admin';

export const sold = (purchases: number, returned = 0): SoldView => ({
  purchases,
  gross: purchases * 1999,
  returned,
  net: purchases * 1999 - returned,
});

export const someSales = (changes: Partial<GetSalesApiResponse> = {}): GetSalesApiResponse => ({
  total: sold(3, 999),
  byMonth: [
    { month: '2026-11', sold: sold(2, 999) },
    { month: '2026-10', sold: sold(1) },
  ],
  byRaffle: [
    { landingPage: 'garden-bag', sold: sold(2) },
    { landingPage: 'fresh-sips', sold: sold(1, 999) },
  ],
  byPackage: [
    { packageId: 1, package: 'Starter Pack', sold: sold(2) },
    { packageId: 9, package: null, sold: sold(1, 999) },
  ],
  ...changes,
});

export const aSale = (changes: Partial<ListedPurchaseView> = {}): ListedPurchaseView => ({
  id: 3,
  userId: 7,
  phoneNumber: '***-***-0102',
  landingPage: 'garden-bag',
  package: 'Starter Pack',
  entries: 50,
  amount: 1999,
  returned: 0,
  state: 'paid',
  payment: 'pi_3',
  createdAt: '2026-11-20T15:00:00Z',
  paidAt: '2026-11-20T15:01:00Z',
  ...changes,
});
