/* tombola stand-in for the provider of payments */
// As much of Stripe's script as the payment dialog uses. Fields and the issuer's question are frames of another origin, as
// the real ones are, so that the policies of the page and its dialog are met as in earnest.
(() => {
  const own = new URL(document.currentScript.src).origin;
  // The browser tests answer for Stripe's hosts with this; elsewhere all of it comes from the stand-in itself.
  const host = (name) => (own === 'https://js.stripe.com' ? `https://${name}.stripe.com` : own);

  // What Stripe's test cards do, by their numbers.
  const methods = {
    4242424242424242: 'pm_card_visa',
    4000000000000002: 'pm_card_chargeDeclined',
    4000002760003184: 'pm_card_threeDSecure2Required',
    4000000000003063: 'pm_card_threeDSecure2Required',
  };
  const LEAVES_THE_PAGE = '4000000000003063';

  function frame(src, title) {
    const element = document.createElement('iframe');
    element.src = src;
    element.title = title;
    element.style.border = '0';
    element.style.width = '100%';
    return element;
  }

  function hear(source, use) {
    addEventListener('message', ({ data, source: from }) => {
      if (from === source.contentWindow) use(data);
    });
  }

  function elements({ clientSecret, appearance }) {
    let card = '';
    const create = () => {
      const handlers = new Map();
      const colours = new URLSearchParams(appearance.variables);
      const input = frame(`${host('js')}/browser/fields?${colours}`, 'Secure payment input frame');
      hear(input, (data) => {
        if ('card' in data) card = data.card.replaceAll(/\D/g, '');
        if ('height' in data) input.style.height = `${data.height}px`;
        if ('isReady' in data) handlers.get('ready')?.();
      });
      return {
        mount: (place) => place.append(input),
        on: (event, handler) => handlers.set(event, handler),
        off: (event) => handlers.delete(event),
        update: () => undefined,
        destroy: () => input.remove(),
      };
    };
    return { clientSecret, card: () => card, create, update: () => undefined };
  }

  /** As the real one does: over everything, at the end of the page. */
  function ask() {
    const asking = frame(`${host('hooks')}/browser/question`, 'Your bank asks');
    Object.assign(asking.style, { position: 'fixed', inset: 0, height: '100%', zIndex: 2147483647 });
    document.body.append(asking);
    return new Promise((resolve) => {
      hear(asking, ({ answer }) => {
        asking.remove();
        resolve(answer);
      });
    });
  }

  async function confirmPayment({ elements, confirmParams }) {
    const { clientSecret } = elements;
    const [id] = clientSecret.split('_secret_');
    const card = elements.card();
    const call = async (act, body) => {
      const address = `${host('api')}/control/intents/${id}/${act}`;
      return (await fetch(address, { method: 'POST', body: JSON.stringify(body) })).json();
    };
    if (!methods[card]) return { error: { type: 'validation_error', message: 'Your card number is incomplete.' } };
    let intent = await call('pay', { paymentMethod: methods[card], clientSecret });
    if (intent.status === 'requires_action') {
      const outcome = card === LEAVES_THE_PAGE ? 'succeed' : await ask();
      intent = await call('complete-action', { outcome });
    }
    if (intent.error) return { error: intent.error };
    if (intent.last_payment_error) return { error: { ...intent.last_payment_error, payment_intent: intent } };
    if (card !== LEAVES_THE_PAGE) return { paymentIntent: intent };
    const address = new URL(confirmParams.return_url);
    address.searchParams.set('payment_intent', id);
    address.searchParams.set('payment_intent_client_secret', clientSecret);
    address.searchParams.set('redirect_status', 'succeeded');
    location.assign(address);
    return new Promise(() => undefined);
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
  window.Stripe = Object.assign(stripe, { version: 'endive' });
})();
