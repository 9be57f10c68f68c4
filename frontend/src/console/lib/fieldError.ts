import { asApiError } from '../../shared/api/apiError';

/** What the server says of one of the fields that a request was made of. */
export function fieldError(error: unknown, name: string): string | undefined {
  return error === undefined ? undefined : asApiError(error).fields?.[name]?.[0];
}
