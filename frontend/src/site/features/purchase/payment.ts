import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';

export type Payment =
  | { state: 'succeeded' }
  /** The provider will know later, and tells the server. */
  | { state: 'processing' }
  | { state: 'failed'; sentence: string };

interface Order {
  stripe: Stripe;
  elements: StripeElements;
  clientSecret: string;
  /** Where the provider sends people who have to leave the page to pay. */
  returnUrl: string;
}

const UNEXPECTED = 'An unexpected error occurred.';

/** Pays, and says how it ended. Throws what the provider's script throws. */
export async function pay({ stripe, elements, clientSecret, returnUrl }: Order): Promise<Payment> {
  const { error, paymentIntent } = await stripe.confirmPayment({
    elements,
    confirmParams: { return_url: returnUrl },
    redirect: 'if_required',
  });
  const intent =
    paymentIntent ?? error?.payment_intent ?? (await lookUp(stripe, clientSecret, error));
  if (intent?.status === 'succeeded' || intent?.status === 'processing') {
    return { state: intent.status };
  }
  return { state: 'failed', sentence: sentenceOf(error) };
}

/** An answer that was lost on its way may have been a success: asks before anybody pays twice. */
async function lookUp(stripe: Stripe, clientSecret: string, error: StripeError | undefined) {
  if (error && isForPeople(error)) return undefined;
  const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret);
  return paymentIntent;
}

function sentenceOf(error: StripeError | undefined): string {
  return (error && isForPeople(error) && error.message) || UNEXPECTED;
}

const isForPeople = ({ type }: StripeError) => type === 'card_error' || type === 'validation_error';
