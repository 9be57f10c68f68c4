import { useEffect, useState } from 'react';
import { asApiError } from '../../shared/api/apiError';

/** A file of its own, loaded once it is wanted; or why it did not arrive, and a way to ask for it again. */
export function useLater<File>(load: () => Promise<File>, isWanted = true) {
  const [tries, setTries] = useState(0);
  const [file, setFile] = useState<File>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!isWanted) return undefined;
    let isLatest = true;
    load().then(
      (loaded) => isLatest && setFile(() => loaded),
      (thrown: unknown) => isLatest && setProblem(asApiError(thrown).sentence),
    );
    return () => {
      isLatest = false;
    };
  }, [load, isWanted, tries]);

  const retry = () => {
    setProblem(undefined);
    setTries(tries + 1);
  };
  return { file, problem, retry };
}
