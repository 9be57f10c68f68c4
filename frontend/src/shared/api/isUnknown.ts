import type { ApiError } from './apiError';

/** Whether the server may have carried out the call: there was no answer, or it came from a proxy or a failing server. */
export const isUnknown = ({ status }: ApiError): boolean =>
  typeof status !== 'number' || status >= 500;
