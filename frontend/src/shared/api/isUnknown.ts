import type { ApiError } from './apiError';

/** An answer that never came, or came from something in between, does not tell whether it was done. */
export const isUnknown = ({ status }: ApiError): boolean =>
  typeof status !== 'number' || status >= 500;
