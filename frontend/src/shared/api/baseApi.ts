import type { BaseQueryFn } from '@reduxjs/toolkit/query';
import { createApi } from '@reduxjs/toolkit/query/react';
import { connectionError, responseError, type ApiError } from './apiError';

export const REQUEST_TIMEOUT_MS = 15_000;

type Params = Record<string, string | number | boolean | null | undefined>;

interface Call {
  url: string;
  method?: string;
  body?: unknown;
  params?: Params;
}

/**
 * One request, with every failure as an ApiError. Shorter and, in the browser, lighter than
 * fetchBaseQuery with all of its errors turned into ours.
 */
const baseQuery: BaseQueryFn<Call, unknown, ApiError> = async (call, { signal }) => {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), REQUEST_TIMEOUT_MS);
  signal.addEventListener('abort', () => deadline.abort());
  try {
    const response = await send(call, deadline.signal);
    const text = await response.text();
    if (!response.ok) return { error: responseError(response, text) };
    return { data: JSON.parse(text) as unknown };
  } catch (thrown) {
    if (deadline.signal.aborted) return { error: connectionError('timeout', String(thrown)) };
    if (thrown instanceof SyntaxError)
      return { error: connectionError('unreadable', thrown.message) };
    const cause = navigator.onLine ? 'unreachable' : 'offline';
    return { error: connectionError(cause, String(thrown)) };
  } finally {
    clearTimeout(timer);
  }
};

/** Every request sends cookies; a body and its content type only where there is one. */
function send({ url, method = 'GET', body, params = {} }: Call, signal: AbortSignal) {
  const address = new URL(url, location.origin);
  for (const [name, value] of Object.entries(params)) {
    if (value != null) address.searchParams.set(name, String(value));
  }
  const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return fetch(address, {
    method,
    credentials: 'include',
    signal,
    ...(body !== undefined && json),
  });
}

/** Fetched once, never stale by itself, never retried (RTK Query retries nothing unless told to). */
export const baseApi = createApi({
  baseQuery,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  refetchOnMountOrArgChange: false,
  keepUnusedDataFor: Infinity,
  endpoints: () => ({}),
});
