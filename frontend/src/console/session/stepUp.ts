/** Calls that the server makes only with a fresh code of the second factor. */
import { useSyncExternalStore } from 'react';
import type { ApiError } from '../../shared/api/apiError';
import type { Answer } from '../../shared/api/request';

/** Sends the call again, with a code or, once a code was good, without. */
type Send = (code?: string) => Promise<Answer>;

interface Waiting {
  send: Send;
  settle: (answer: Answer) => void;
}

/** They share one dialog: a code that is good for the first is good for all of them. */
let waiting: readonly Waiting[] = [];
const listeners = new Set<() => void>();

const needsStepUp = ({ error }: Answer): boolean => error?.code === 'step_up_required';

/** Where the server wants a code, waits until the call went through with one, or nobody gave one. */
export async function steppedUp(send: Send): Promise<Answer> {
  const answer = await send();
  if (!needsStepUp(answer)) return answer;
  return new Promise((settle) => setWaiting([...waiting, { send, settle }]));
}

/** Answers why the code was not taken: nothing when the calls went through, or failed for reasons of their own. */
export async function giveCode(code: string): Promise<ApiError | undefined> {
  const [first] = waiting;
  if (!first) return undefined;
  const answer = await first.send(code);
  const isRefused = needsStepUp(answer) || answer.error?.code === 'rate_limited';
  if (isRefused) return answer.error;
  const others = waiting.filter((each) => each !== first);
  setWaiting([]);
  first.settle(answer);
  // The first one may have failed before the server saw the code: then they ask for it again.
  for (const { send, settle } of others) void steppedUp(send).then(settle);
  return undefined;
}

/** The calls fail, with what was typed still in their forms. */
export function giveUp(error: ApiError = notGiven) {
  const given = waiting;
  setWaiting([]);
  for (const { settle } of given) settle({ error });
}

const sentence =
  'Nothing was done, because no code was entered. Try again, and enter the code of your authenticator app.';
const notGiven: ApiError = {
  status: 403,
  code: 'step_up_required',
  message: '403: no code was given',
  sentence,
  serverSentence: sentence,
};

export const useWaitsForCode = () => useSyncExternalStore(subscribe, () => waiting.length > 0);

function setWaiting(next: readonly Waiting[]) {
  waiting = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
