import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { getClaim, postAction, type Action, type Answer, type Claim } from './api';

interface State {
  claim?: Claim;
  /** Why there is no claim. */
  error?: ApiError;
  /** When the claim was as it says, in milliseconds by this browser's clock. */
  receivedAt: number;
  /** The same moment by the server's clock. */
  now: number;
  /** How many actions were answered by then. */
  after: number;
}

const nothing: State = { receivedAt: 0, now: 0, after: 0 };

const stateOf = ({ claim, now }: Answer & { error?: never }, after: number): State => ({
  ...{ claim, now, after },
  receivedAt: Date.now(),
});

/** Throws an ApiError. */
export type Act = (action: Action, body?: object) => Promise<void>;

/** The status may be another one than the page shows: changed in another tab, or by time. */
const isOutdated = ({ status }: ApiError) => [403, 404, 409, 410].some((each) => each === status);

/** The claim at the address. What an action answers is newer than what was asked for before. */
export function useClaim(token: string) {
  const [state, setState] = useState<State>(nothing);
  const { after } = state;
  const actions = useRef(0);

  /** Takes an answer unless there was an action since it was asked for. */
  const receive = useCallback((before: number, answer: Answer) => {
    if (actions.current !== before) return;
    if (answer.error) setState((now) => (now.claim ? now : { ...now, error: answer.error }));
    else setState(stateOf(answer, before));
  }, []);

  const refetch = useCallback(async () => {
    const before = actions.current;
    receive(before, await getClaim(token));
  }, [token, receive]);

  const act: Act = useCallback(
    async (action, body) => {
      if (actions.current !== after) return; // a second press, on a form that is about to go
      const answer = await postAction(token, action, body);
      if (!answer.error) {
        actions.current += 1;
        return setState(stateOf(answer, actions.current));
      }
      if (isOutdated(answer.error)) await refetch();
      throw answer.error as unknown;
    },
    [token, refetch, after],
  );

  useEffect(() => {
    void getClaim(token).then((answer) => receive(0, answer));
  }, [token, receive]);

  const retry = () => {
    setState({ ...nothing, after });
    void refetch();
  };

  return { ...state, refetch, retry, act };
}
