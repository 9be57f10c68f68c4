import type { BrowserContext, Route } from '@playwright/test';
import type { Answer, Provider } from './paymentProvider';

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
 * Answers for the provider's hosts: a script, the frame with its fields, the issuer's question, and the call
 * that pays. Fields and question are frames of other origins, as the real ones are, so that the policies of the
 * page and its dialog are met as in earnest.
 */
export async function standInForStripe(context: BrowserContext, provider: Provider) {
  const html = (body: string) => (route: Route) =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><html lang="en">${body}` });
  await context.route('https://js.stripe.com/*/stripe.js*', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `/* ${MARK} */(${script.toString()})();`,
    }),
  );
  await context.route('https://js.stripe.com/fields*', html(fields));
  await context.route('https://hooks.stripe.com/question', html(question));
  await context.route('https://api.stripe.com/v1/payment_intents/*/confirm', async (route) => {
    const { id, card } = route.request().postDataJSON() as { id: string; card: string };
    const answer = await pay(provider, id, card);
    await route.fulfill({ headers: { 'Access-Control-Allow-Origin': '*' }, json: answer });
  });
}

/** Pays with a card, or with what the payer answered the issuer. */
async function pay({ control }: Provider, id: string, card: string): Promise<Answer> {
  const by = (paymentMethod: string) => control(`intents/${id}/pay`, { paymentMethod });
  switch (card) {
    case cards.good:
      return by('pm_card_visa');
    case cards.declined:
      return by('pm_card_chargeDeclined');
    case cards.asked:
    case cards.redirected:
      return by('pm_card_threeDSecure2Required');
    case 'succeed':
    case 'fail':
      return control(`intents/${id}/complete-action`, { outcome: card });
    default:
      return { error: { type: 'validation_error', message: 'Your card number is incomplete.' } };
  }
}

const fields = `<title>Secure payment input frame</title>
  <body><script>
    const colours = new URLSearchParams(location.search);
    document.body.style.color = colours.get('colorText');
    document.body.style.background = colours.get('colorBackground');
  </script>
  <label>Card number <input autocomplete="off" oninput="parent.postMessage({ card: value }, '*')"></label>`;

const question = `<title>Your bank</title>
  <body style="background: #fff; color: #000"><h1>Is it you?</h1>
  <button onclick="parent.postMessage({ answer: 'succeed' }, '*')">Yes, pay</button>
  <button onclick="parent.postMessage({ answer: 'fail' }, '*')">No</button>`;

/** Runs in the page: as much of the provider's script as the dialog uses. Must not use anything outside of itself. */
function script() {
  interface Options {
    clientSecret: string;
    appearance: { variables: { colorText: string; colorBackground: string } };
  }
  interface Confirmation {
    elements: { clientSecret: string; card: () => string };
    confirmParams: { return_url: string };
  }

  function frame(src: string, title: string) {
    const element = document.createElement('iframe');
    element.src = src;
    element.title = title;
    element.style.border = '0';
    element.style.width = '100%';
    return element;
  }

  function heard<Message extends object>(source: HTMLIFrameElement, use: (data: Message) => void) {
    addEventListener('message', ({ data, source: from }: MessageEvent<Message>) => {
      if (from === source.contentWindow) use(data);
    });
  }

  function elements({ clientSecret, appearance }: Options) {
    let card = '';
    const create = () => {
      const handlers = new Map<string, () => void>();
      const { colorText, colorBackground } = appearance.variables;
      const colours = new URLSearchParams({ colorText, colorBackground }).toString();
      const input = frame(`https://js.stripe.com/fields?${colours}`, 'Secure payment input frame');
      heard<{ card: string }>(input, (data) => (card = data.card));
      input.addEventListener('load', () => handlers.get('ready')?.());
      return {
        mount: (place: HTMLElement) => place.append(input),
        on: (event: string, handler: () => void) => handlers.set(event, handler),
        off: (event: string) => handlers.delete(event),
        update: () => undefined,
        destroy: () => input.remove(),
      };
    };
    return { clientSecret, card: () => card, create, update: () => undefined };
  }

  /** As the real one does: over everything, at the end of the page. */
  function ask() {
    const asking = frame('https://hooks.stripe.com/question', 'Your bank asks');
    Object.assign(asking.style, {
      position: 'fixed',
      inset: 0,
      height: '100%',
      zIndex: 2147483647,
    });
    document.body.append(asking);
    return new Promise<string>((resolve) => {
      heard<{ answer: string }>(asking, ({ answer }) => {
        asking.remove();
        resolve(answer);
      });
    });
  }

  async function confirmPayment({ elements, confirmParams }: Confirmation): Promise<object> {
    const id = elements.clientSecret.split('_secret_')[0] ?? '';
    const leaves = elements.card().endsWith('3063'); // the card of `redirected`
    const pay = async (card: string): Promise<object> => {
      const response = await fetch(`https://api.stripe.com/v1/payment_intents/${id}/confirm`, {
        method: 'POST',
        body: JSON.stringify({ id, card }),
      });
      const answer = (await response.json()) as Answer;
      if ('error' in answer) return answer;
      if (answer.last_payment_error) {
        return { error: { ...answer.last_payment_error, payment_intent: answer } };
      }
      if (answer.status !== 'requires_action') return { paymentIntent: answer };
      if (!leaves) return pay(await ask());
      await pay('succeed');
      const address = new URL(confirmParams.return_url);
      address.searchParams.set('payment_intent', id);
      address.searchParams.set('payment_intent_client_secret', elements.clientSecret);
      address.searchParams.set('redirect_status', 'succeeded');
      location.assign(address);
      return new Promise(() => undefined);
    };
    return pay(elements.card());
  }

  const ignore = () => undefined;
  const stripe = () => ({
    elements,
    confirmPayment,
    retrievePaymentIntent: () => Promise.resolve({}),
    createToken: ignore,
    createPaymentMethod: ignore,
    confirmCardPayment: ignore,
  });
  Object.assign(window, { Stripe: Object.assign(stripe, { version: 'endive' }) });
}
