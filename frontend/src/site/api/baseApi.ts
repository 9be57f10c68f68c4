import type { BaseQueryFn } from '@reduxjs/toolkit/query';
import { createApi } from '@reduxjs/toolkit/query/react';
import type { ApiError } from '../../shared/api/apiError';
import type { Call } from '../../shared/api/request';
import { call } from './call';

const baseQuery: BaseQueryFn<Call, unknown, ApiError, object, Response> = (options, { signal }) =>
  call(options, signal);

/** Fetched once, never stale by itself, never retried (RTK Query retries nothing unless told to). */
export const baseApi = createApi({
  baseQuery,
  refetchOnFocus: false,
  refetchOnReconnect: false,
  refetchOnMountOrArgChange: false,
  keepUnusedDataFor: Infinity,
  endpoints: () => ({}),
});
