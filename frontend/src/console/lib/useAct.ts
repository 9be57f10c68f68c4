import { useRef, useState } from 'react';
import { asApiError, type ApiError } from '../../shared/api/apiError';

/** For an act that is no form: one at a time, however often it is pressed, and why it failed. */
export function useAct(explain: (error: ApiError) => string | undefined) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const busy = useRef(false);

  async function run(act: () => Promise<unknown>) {
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    setProblem(undefined);
    try {
      await act();
    } catch (thrown) {
      setProblem(explain(asApiError(thrown)));
    } finally {
      busy.current = false;
      setPending(false);
    }
  }

  return {
    pending,
    problem,
    run: (act: () => Promise<unknown>) => void run(act),
    forget: () => setProblem(undefined),
  };
}
