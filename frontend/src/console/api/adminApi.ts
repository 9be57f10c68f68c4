import type { BaseQueryFn } from '@reduxjs/toolkit/query';
import { createApi } from '@reduxjs/toolkit/query/react';
import { sessionSlice, type SessionState } from '../session/sessionSlice';
import type { ApiError, Wording } from '../../shared/api/apiError';
import { request, type Call } from '../../shared/api/request';

export const staffWords: Wording = {
  offline: 'You seem to be offline. Try again when you are connected.',
  unreachable: 'Tombola could not be reached. Check your connection and try again.',
  timeout: 'That took too long. Please try again.',
  unreadable: 'The answer could not be read. Please try again.',
  busy: 'Tombola is busy or can’t reach its database.',
};

/** A 401 from one of these does not end a session. */
const signInCalls = ['/api/admin/login', '/api/admin/logout'];

// Still on screen after logging in again, beside the form or list whose call failed.
const sentence = 'Your session ended before this was done. Please try again.';
const sessionEnded: ApiError = {
  status: 401,
  message: '401: the session has ended',
  sentence,
  serverSentence: sentence,
};

export const bearer = (token: string | null): Record<string, string> =>
  token ? { Authorization: `Bearer ${token}` } : {};

/** Sends the session's token, and ends the session when the server no longer takes it. */
const baseQuery: BaseQueryFn<Call, unknown, ApiError, object, Response> = async (call, api) => {
  const tokenNow = () => (api.getState() as SessionState).session.token;
  const token = tokenNow();
  const isSignIn = signInCalls.includes(call.url);
  if (token === null && !isSignIn) return { error: sessionEnded }; // such as polling behind the dialog
  const answer = await request(call, {
    signal: api.signal,
    headers: bearer(token),
    words: staffWords,
  });
  // A late answer to an old token says nothing about the one that replaced it.
  if (answer.error?.status === 401 && token && token === tokenNow() && !isSignIn) {
    api.dispatch(sessionSlice.actions.ended('ended'));
    return { error: sessionEnded };
  }
  return answer;
};

/** Staff's calls. What is on screen is refetched by polling, by Refresh and after changes: see admin.ts. */
export const adminApi = createApi({
  reducerPath: 'adminApi',
  baseQuery,
  refetchOnMountOrArgChange: 5,
  endpoints: () => ({}),
});
