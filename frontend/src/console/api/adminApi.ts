import type { BaseQueryFn } from '@reduxjs/toolkit/query';
import { createApi } from '@reduxjs/toolkit/query/react';
import { wasPolled } from '../lib/polls';
import { sessionSlice, type SessionState } from '../session/sessionSlice';
import { steppedUp } from '../session/stepUp';
import type { ApiError, Wording } from '../../shared/api/apiError';
import { request, type Answer, type Call } from '../../shared/api/request';

export const staffWords: Wording = {
  offline: 'You seem to be offline. Try again when you are connected.',
  unreachable: 'Tombola could not be reached. Check your connection and try again.',
  timeout: 'That took too long. Please try again.',
  unreadable: 'The answer could not be read. Please try again.',
  busy: "Tombola is busy or can't reach its database.",
  tooMany: 'Too many tries.',
};

/** A 401 from one of these does not end a session. */
const signInCalls = ['/api/admin/login', '/api/admin/logout'];
/** These come from people who have no account yet. */
const INVITATIONS = '/api/staff/invitations/';
/** These are open before a second factor is set up. One refuses to remove it where the role needs it. */
const OWN_ACCOUNT = '/api/admin/me';

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

const forbidden = 'Your role does not allow this. If you need it, ask an owner of this console.';

/** What a 403 means for people. Sentences of the server that say more stay. */
function explained({ error, ...rest }: Answer): Answer {
  if (!error) return rest as Answer;
  if (error.code !== 'forbidden') return { error };
  return { error: { ...error, sentence: forbidden, serverSentence: forbidden } };
}

/** Sends the session's token, asks for what the server wants besides, and ends the session when it is over. */
const baseQuery: BaseQueryFn<Call, unknown, ApiError, object, Response> = async (call, api) => {
  const tokenNow = () => (api.getState() as SessionState).session.token;
  const isSignIn = signInCalls.includes(call.url) || call.url.startsWith(INVITATIONS);
  const polling = wasPolled(api.queryCacheKey) ? { 'X-Console-Polling': '1' } : {};

  async function send(code?: string): Promise<Answer> {
    const token = tokenNow();
    if (token === null && !isSignIn) return { error: sessionEnded }; // such as polling behind the dialog
    const answer = await request(call, {
      signal: api.signal,
      headers: { ...bearer(token), ...polling, ...(code && { 'X-Totp-Code': code }) },
      words: staffWords,
    });
    // A late answer to an old token says nothing about the one that replaced it.
    if (isSignIn || !token || token !== tokenNow()) return answer;
    if (answer.error?.status === 401) {
      api.dispatch(sessionSlice.actions.ended('ended'));
      return { error: sessionEnded };
    }
    if (answer.error?.code === 'totp_required' && !call.url.startsWith(OWN_ACCOUNT)) {
      api.dispatch(sessionSlice.actions.secondFactorAsked());
    }
    return explained(answer);
  }

  return steppedUp(send);
};

/** Staff's calls. What is on screen is refetched by polling, by Refresh and after changes: see admin.ts. */
export const adminApi = createApi({
  reducerPath: 'adminApi',
  baseQuery,
  refetchOnMountOrArgChange: 5,
  endpoints: () => ({}),
});
