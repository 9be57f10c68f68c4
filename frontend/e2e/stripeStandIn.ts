import type { BrowserContext } from '@playwright/test';
import type { Provider } from './paymentProvider';

/** Stands in the script, so that a test can look for it in what is built: it must never be there. */
export const MARK = 'tombola stand-in for the provider of payments';

export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  /** The issuer asks, on the page. */
  asked: '4000 0027 6000 3184',
  /** The issuer asks, on a page of its own. */
  redirected: '4000 0000 0000 3063',
};

/**
 * Answers for the provider's hosts with what the stand-in serves: a script, the frame with its fields, the issuer's
 * question, and the calls that pay. So the page's policies are those of production, and the script is the demo's.
 */
export async function standInForStripe(context: BrowserContext, provider: Provider) {
  const answerWith = (pattern: string, path: (url: URL) => string) =>
    context.route(pattern, async (route) => {
      const url = provider.url + path(new URL(route.request().url()));
      await route.fulfill({ response: await route.fetch({ url }) });
    });
  await answerWith('https://js.stripe.com/*/stripe.js*', () => '/browser/stripe.js');
  await answerWith('https://js.stripe.com/browser/fields*', (url) => url.pathname + url.search);
  await answerWith('https://hooks.stripe.com/browser/question', (url) => url.pathname);
  await answerWith('https://api.stripe.com/control/intents/**', (url) => url.pathname);
}
