import { vi } from 'vitest';

type Handler = (event?: unknown) => void;

/** What the provider answers in this test. */
export const stripe = {
  confirmPayment: vi.fn<(order: unknown) => Promise<object>>(),
  retrievePaymentIntent: vi.fn<(clientSecret: string) => Promise<object>>(),
  elements: vi.fn<(options: object) => object>(),
  /** What the payment form says once it is mounted. */
  says: 'ready' as 'ready' | 'loaderror',
};

export const succeeded = { paymentIntent: { status: 'succeeded' } };

/** The payment goes through, and the form is there at once, until a test says otherwise. */
export function resetStripe() {
  stripe.says = 'ready';
  stripe.confirmPayment.mockReset().mockResolvedValue(succeeded);
  stripe.retrievePaymentIntent.mockReset().mockResolvedValue({});
  stripe.elements.mockReset().mockImplementation(someElements);
}

function someElements() {
  return { create: () => anElement(), update: () => undefined };
}

function anElement() {
  const handlers = new Map<string, Handler>();
  return {
    mount: () => queueMicrotask(() => handlers.get(stripe.says)?.()),
    on: (event: string, handler: Handler) => handlers.set(event, handler),
    off: (event: string) => handlers.delete(event),
    update: () => undefined,
    destroy: () => undefined,
  };
}

/** Stands where the provider's script would put itself; the loader takes what is there. */
export function installStripe() {
  const ignore = () => undefined;
  const constructor = () => ({
    elements: (options: object) => stripe.elements(options),
    confirmPayment: (order: unknown) => stripe.confirmPayment(order),
    retrievePaymentIntent: (secret: string) => stripe.retrievePaymentIntent(secret),
    createToken: ignore,
    createPaymentMethod: ignore,
    confirmCardPayment: ignore,
  });
  Object.assign(window, { Stripe: Object.assign(constructor, { version: 'endive' }) });
}
