import { useRef, useState } from 'react';
import { asApiError, type ApiError } from '../../shared/api/apiError';
import { sentenceOf } from './sentenceOf';

export type Explain = (error: ApiError) => string | undefined;

/** A button's call: one at a time, and what it failed with. */
export function useAction(run: () => Promise<unknown>, explain: Explain = sentenceOf) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isBusy = useRef(false); // known at once, unlike busy

  async function start() {
    if (isBusy.current) return;
    isBusy.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await run();
    } catch (thrown) {
      setProblem(explain(asApiError(thrown)));
    }
    isBusy.current = false;
    setBusy(false);
  }

  return { start, busy, problem };
}
