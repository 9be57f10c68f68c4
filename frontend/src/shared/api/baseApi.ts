import { fetchBaseQuery, type BaseQueryFn, type FetchArgs } from '@reduxjs/toolkit/query';
import { createApi } from '@reduxjs/toolkit/query/react';
import { connectionError, responseError, type ApiError } from './apiError';

export const REQUEST_TIMEOUT_MS = 15_000;

const overFetch = fetchBaseQuery({
  baseUrl: typeof location === 'undefined' ? '' : location.origin,
  credentials: 'include',
  timeout: REQUEST_TIMEOUT_MS,
  responseHandler: (response) => (response.ok ? response.json() : response.text()),
});

/** fetchBaseQuery, with every failure turned into an ApiError. */
const baseQuery: BaseQueryFn<string | FetchArgs, unknown, ApiError> = async (args, api, extra) => {
  const { data, error, meta } = await overFetch(args, api, extra);
  if (!error) return { data };
  if (error.status === 'TIMEOUT_ERROR') return { error: connectionError('timeout', error.error) };
  if (error.status === 'PARSING_ERROR')
    return { error: connectionError('unreadable', error.error) };
  if (typeof error.status === 'number' && meta?.response) {
    return { error: responseError(meta.response, String(error.data)) };
  }
  return {
    error: connectionError(
      navigator.onLine ? 'unreachable' : 'offline',
      'error' in error ? error.error : '',
    ),
  };
};

/** Fetched once, never stale by itself, never retried (RTK Query retries nothing unless told to). */
export const baseApi = createApi({
  baseQuery,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  refetchOnMountOrArgChange: false,
  keepUnusedDataFor: Infinity,
  endpoints: () => ({}),
});
