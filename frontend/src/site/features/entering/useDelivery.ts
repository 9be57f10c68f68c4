import { useEffect, useRef } from 'react';
import { endOf } from '../../lib/codeEnds';
import { readVerification } from './api';
import type { CodeStepProps } from './stubProps';

/** When the provider may have refused the number by, in seconds after the code was sent. */
const ASK_AFTER_S = [3, 8, 20, 45];

/** Asks how the text fared, a few times and when the page is looked at again, as long as the code waits. */
export function useDelivery({ pending, onNews, onLeave }: CodeStepProps, waits: boolean) {
  const { id, sentAt, undeliverable } = pending;
  const read = useRef<(signal: AbortSignal) => Promise<void>>(undefined);
  useEffect(() => {
    read.current = async (signal) => {
      const answer = await readVerification(id, signal);
      if (signal.aborted) return;
      if ('error' in answer) {
        const end = endOf(answer.error);
        if (end) onLeave(end); // whatever else failed, the next time may not
      } else if (answer.verification.undeliverable) {
        onNews({ ...pending, undeliverable: true });
      }
    };
  });

  const isAsking = waits && !undeliverable;
  useEffect(() => {
    if (!isAsking) return undefined;
    const over = new AbortController();
    let isBusy = false;
    async function ask() {
      if (isBusy || document.hidden) return;
      isBusy = true;
      await read.current?.(over.signal);
      isBusy = false;
    }
    const onTime = () => void ask();
    const timers = ASK_AFTER_S.map((after) => sentAt + after * 1_000 - Date.now())
      .filter((wait) => wait > 0)
      .map((wait) => setTimeout(onTime, wait));
    document.addEventListener('visibilitychange', onTime);
    return () => {
      over.abort();
      timers.forEach((timer) => clearTimeout(timer));
      document.removeEventListener('visibilitychange', onTime);
    };
  }, [isAsking, id, sentAt]);
}
