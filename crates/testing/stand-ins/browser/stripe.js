/* tombola stand-in for the provider of payments */
// The part of Stripe.js that the payment dialog uses. The fields and the bank's question are frames of another origin, as
// in Stripe.js, so that the page's content security policy is tested.
(() => {
  const origin = new URL(document.currentScript.src).origin;
  // In browser tests this is served as Stripe's hosts; otherwise everything comes from the stand-in.
  const host = (name) => (origin === 'https://js.stripe.com' ? `https://${name}.stripe.com` : origin);

  // The payment methods of Stripe's test cards.
  const methods = {
    4242424242424242: 'pm_card_visa',
    4000000000000002: 'pm_card_chargeDeclined',
    4000002760003184: 'pm_card_threeDSecure2Required',
    4000000000003063: 'pm_card_threeDSecure2Required',
  };
  const REDIRECT_CARD = '4000000000003063';

  function frame(src, title) {
    const element = document.createElement('iframe');
    element.src = src;
    element.title = title;
    element.style.border = '0';
    element.style.width = '100%';
    return element;
  }

  function onMessage(source, handle) {
    addEventListener('message', ({ data, source: from }) => {
      if (from === source.contentWindow) handle(data);
    });
  }

  function elements({ clientSecret, appearance }) {
    let card = '';
    const create = () => {
      const handlers = new Map();
      const colors = new URLSearchParams(appearance.variables);
      const input = frame(`${host('js')}/browser/fields?${colors}`, 'Secure payment input frame');
      onMessage(input, (data) => {
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

  /** Shows the bank's question over the whole page, as Stripe.js does. */
  function askBank() {
    const question = frame(`${host('hooks')}/browser/question`, 'Your bank asks');
    Object.assign(question.style, { position: 'fixed', inset: 0, height: '100%', zIndex: 2147483647 });
    document.body.append(question);
    return new Promise((resolve) => {
      onMessage(question, ({ answer }) => {
        question.remove();
        resolve(answer);
      });
    });
  }

  async function confirmPayment({ elements, confirmParams }) {
    const { clientSecret } = elements;
    const [id] = clientSecret.split('_secret_');
    const card = elements.card();
    const call = async (action, body) => {
      const url = `${host('api')}/control/intents/${id}/${action}`;
      return (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json();
    };
    if (!methods[card]) return { error: { type: 'validation_error', message: 'Your card number is incomplete.' } };
    let intent = await call('pay', { paymentMethod: methods[card], clientSecret });
    if (intent.status === 'requires_action') {
      const outcome = card === REDIRECT_CARD ? 'succeed' : await askBank();
      intent = await call('complete-action', { outcome });
    }
    if (intent.error) return { error: intent.error };
    if (intent.last_payment_error) return { error: { ...intent.last_payment_error, payment_intent: intent } };
    if (card !== REDIRECT_CARD) return { paymentIntent: intent };
    const returnUrl = new URL(confirmParams.return_url);
    returnUrl.searchParams.set('payment_intent', id);
    returnUrl.searchParams.set('payment_intent_client_secret', clientSecret);
    returnUrl.searchParams.set('redirect_status', 'succeeded');
    location.assign(returnUrl);
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
