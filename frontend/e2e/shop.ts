import pg from 'pg';
import { startProvider, type Provider } from './paymentProvider';
import { freshServer, staff } from './server';
import { standInForStripe } from './stripeStandIn';
import { test as base } from './test';

export const stripeKeys = {
  STRIPE_SECRET_KEY: 'sk_test_purchase',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_purchase',
  STRIPE_WEBHOOK_SECRET: 'whsec_purchase',
};

const packages = [
  { name: 'Starter Pack', entries: 10, price: 500 },
  { name: 'Better Pack', entries: 50, price: 1999, isPopular: true },
  { name: 'Mega Pack', entries: 300, price: 4999 },
].map((pack, sortOrder) => ({
  description: 'More tickets in the drum, for every drawing to come.',
  sortOrder,
  ...pack,
}));

interface Shop {
  origin: string;
  databaseUrl: string;
  provider: Provider;
  /** The switch of the console. */
  show: (showPricing: boolean) => Promise<unknown>;
  /** State and entries of each, sorted. */
  purchasesOf: (userId: string) => Promise<string[]>;
}

/** For tests that buy: a server with packages for sale, and a stand-in for the payment provider. */
export const test = base.extend<object, { shop: Shop }>({
  shop: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from it which fixtures are needed
    async ({}, use) => {
      const provider = await startProvider(stripeKeys.STRIPE_WEBHOOK_SECRET);
      // Some tests begin more purchases of one entrant than the usual cap has room for.
      const ENTRY_CAP_PER_MONTH = '100000';
      const server = await freshServer({
        ...stripeKeys,
        STRIPE_API_BASE: provider.url,
        ENTRY_CAP_PER_MONTH,
      });
      await provider.control('webhooks', { url: `${server.origin}/api/stripe/webhook` });
      const client = new pg.Client({ connectionString: server.databaseUrl });
      await client.connect();
      const post = await signedIn(server.origin);
      for (const pack of packages) await post('/api/admin/entry-packages', pack);
      const show = (showPricing: boolean) => post('/api/admin/settings', { showPricing });
      await show(true);
      await use({
        ...server,
        provider,
        show,
        purchasesOf: async (userId) => {
          const { rows } = await client.query<{ sale: string }>(
            "SELECT status || ' ' || entries_added AS sale FROM purchases WHERE user_id = $1 ORDER BY 1",
            [userId],
          );
          return rows.map(({ sale }) => sale);
        },
      });
      await client.end();
      await server.stop();
      await provider.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: [({ shop }, use) => use(shop.origin), { scope: 'test' }],
  context: [
    async ({ context, shop }, use) => {
      await standInForStripe(context, shop.provider);
      await use(context);
    },
    { scope: 'test' },
  ],
});

/** Calls as staff do. */
async function signedIn(origin: string) {
  const post = async (path: string, body: object, token = '') => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status} for ${path}: ${await response.text()}`);
    return response.json() as Promise<Record<string, unknown>>;
  };
  const { sessionToken } = await post('/api/admin/login', staff);
  return (path: string, body: object) => post(path, body, String(sessionToken));
}
