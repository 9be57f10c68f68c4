import { useEffect, useState } from 'react';
import { getRules, type Answer } from './api';

/** The rules at the address; nothing while they are on their way. */
export function useRules(version: string | undefined) {
  const [answer, setAnswer] = useState<Answer>();
  const [tries, setTries] = useState(0);

  useEffect(() => {
    let isCurrent = true;
    void getRules(version).then((received) => {
      if (isCurrent) setAnswer(received);
    });
    return () => {
      isCurrent = false;
    };
  }, [version, tries]);

  const retry = () => {
    setAnswer(undefined);
    setTries((count) => count + 1);
  };

  return { rules: answer?.rules, error: answer?.error, retry };
}
