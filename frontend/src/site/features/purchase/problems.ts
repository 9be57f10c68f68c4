import { asApiError } from '../../../shared/api/apiError';

/** What went wrong, as a toast says it; the sentence stands where people are looking, too. */
export interface Problem {
  title: string;
  sentence: string;
}

export const setupFailed: Problem = {
  title: 'Payment setup failed',
  sentence: 'Unable to initialize payment form. Please try again.',
};
export const formFailed: Problem = {
  title: 'Payment form error',
  sentence: 'Failed to load payment form. Please try again.',
};
export const scriptFailed: Problem = { title: 'Payment failed', sentence: 'Stripe failed to load' };

export const paymentFailed = (sentence = 'Something went wrong. Please try again.'): Problem => ({
  title: 'Payment failed',
  sentence,
});

/** The server's answer says why; without one, the connection does. */
export function startFailed(thrown: unknown): Problem {
  if (asApiError(thrown).code === 'verification_required') return unproved;
  const refused = asApiError(thrown).serverSentence !== undefined;
  return {
    title: refused ? 'Payment Failed' : 'Purchase Failed',
    sentence: sentenceOf(thrown, 'Failed to create payment'),
  };
}

/** This browser has not proved the entrant's number. */
export const unproved: Problem = {
  title: 'Purchase Failed',
  sentence: 'Enter your number again to buy entries.',
};

export function confirmationFailed(thrown: unknown): Problem {
  return {
    title: 'Purchase confirmation failed',
    sentence: sentenceOf(thrown, 'Failed to confirm purchase'),
  };
}

function sentenceOf(thrown: unknown, otherwise: string): string {
  const { status, sentence, serverSentence } = asApiError(thrown);
  if (status === 429 || status === 'offline' || status === 'unreachable') return sentence;
  return serverSentence ?? otherwise;
}
