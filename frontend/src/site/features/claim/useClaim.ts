import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { getClaim, postAction, type Action, type Answer, type Claim } from './api';

interface State {
  claim?: Claim;
  /** Why there is no claim. */
  error?: ApiError;
  /** When the claim was as it says, in milliseconds by this browser's clock. */
  receivedAt: number;
  /** How many actions were answered by then. */
  after: number;
}

/** Throws an ApiError. */
export type Act = (action: Action, body?: object) => Promise<void>;

/** The status may be another one than the page shows: changed in another tab, or by time. */
const isOutdated = ({ status }: ApiError) => [403, 404, 409, 410].some((each) => each === status);

/** The claim at the address. What an action answers is newer than what was asked for before. */
export function useClaim(token: string) {
  const [state, setState] = useState<State>({ receivedAt: 0, after: 0 });
  const { after } = state;
  const actions = useRef(0);

  /** Takes an answer unless there was an action since it was asked for. */
  const receive = useCallback((before: number, { claim, error }: Answer) => {
    if (actions.current !== before) return;
    if (claim) setState({ claim, receivedAt: Date.now(), after: before });
    else setState((now) => (now.claim ? now : { ...now, error }));
  }, []);

  const refetch = useCallback(async () => {
    const before = actions.current;
    receive(before, await getClaim(token));
  }, [token, receive]);

  const act: Act = useCallback(
    async (action, body) => {
      if (actions.current !== after) return; // a second press, on a form that is about to go
      const { claim, error } = await postAction(token, action, body);
      if (claim) {
        actions.current += 1;
        return setState({ claim, receivedAt: Date.now(), after: actions.current });
      }
      if (isOutdated(error)) await refetch();
      throw error as unknown;
    },
    [token, refetch, after],
  );

  useEffect(() => {
    void getClaim(token).then((answer) => receive(0, answer));
  }, [token, receive]);

  const retry = () => {
    setState({ receivedAt: 0, after });
    void refetch();
  };

  return { ...state, refetch, retry, act };
}
