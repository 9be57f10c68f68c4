import { useCallback, useEffect, useRef, useState } from 'react';
import { asApiError, type ApiError } from '../../../../../shared/api/apiError';
import { useRefresh } from '../../../../lib/useRefresh';
import {
  confirmRequest,
  isGone,
  listRequests,
  makeRequest,
  type DataRequest,
  type RequestType,
} from './api';

const REFRESH_MS = 60_000;

interface State {
  requests?: DataRequest[];
  /** When they were as they say, in milliseconds by this browser's clock. */
  receivedAt: number;
  /** Why there are none. */
  error?: ApiError;
  /** How many calls were answered by then. */
  after: number;
}

/** This browser means nothing to the server any more: the entrant may be gone, or only the cookie. */
const isShutOut = ({ status }: ApiError) => status === 403 || status === 404;

/** The entrant's requests for data, newest first. `onDeleted`: there is no such entrant any more. */
export function useRequests(id: number, onDeleted: () => void) {
  const [state, setState] = useState<State>({ receivedAt: 0, after: 0 });
  const { after } = state;
  const answers = useRef(0); // what a call answers is newer than a list that was asked for before

  const readList = useCallback(
    async (before: number, list: DataRequest[] | ApiError) => {
      if (answers.current !== before) return;
      if (Array.isArray(list)) {
        return setState({ requests: list, receivedAt: Date.now(), after: before });
      }
      if (isShutOut(list) && (await isGone(id))) return onDeleted();
      // What was read before stays if it cannot be asked for now.
      setState((now) =>
        now.requests && !isShutOut(list) ? now : { receivedAt: 0, after: before, error: list },
      );
    },
    [id, onDeleted],
  );

  const refetch = useCallback(async () => {
    const before = answers.current;
    await readList(before, await listRequests(id).catch(asApiError));
  }, [id, readList]);

  useEffect(() => {
    void listRequests(id)
      .catch(asApiError)
      .then((list) => readList(0, list));
  }, [id, readList]);
  useRefresh(refetch, REFRESH_MS);

  function receive(answer: DataRequest) {
    answers.current += 1;
    if (answer.requestType === 'erasure' && answer.status === 'completed') return onDeleted();
    setState(({ requests = [] }) => ({
      requests: [answer, ...requests.filter((each) => each.id !== answer.id)],
      receivedAt: Date.now(),
      after: answers.current,
    }));
  }

  /** Throws an ApiError. It may have been carried out all the same, here or in another tab. */
  async function send(call: () => Promise<DataRequest>) {
    if (answers.current !== after) return; // a second press, on a button that is about to go
    try {
      receive(await call());
    } catch (thrown) {
      await refetch();
      throw thrown;
    }
  }

  return {
    ...state,
    retry: () => {
      setState({ receivedAt: 0, after });
      void refetch();
    },
    make: (type: RequestType) => send(() => makeRequest(id, type)),
    confirm: (verificationId: string, code: string) =>
      send(() => confirmRequest(verificationId, code)),
  };
}

export type Requests = ReturnType<typeof useRequests>;
