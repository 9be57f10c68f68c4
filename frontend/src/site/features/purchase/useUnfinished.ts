import { useCallback, useEffect, useRef, useState } from 'react';
import { asApiError } from '../../../shared/api/apiError';
import { useToast } from '../../../shared/ui/toast/useToast';
import { confirmationFailed, paymentFailed, type Problem } from './problems';
import { forget, recall, remember, takeReturned, type Unfinished } from './unfinished';
import type { Finish } from './useFinish';

/** Before each time the server is asked: together about a minute. */
const WAITS_MS = [0, 2_000, 4_000, 8_000, 15_000, 30_000];

/** What the page says about the last purchase. */
export type LastPurchase =
  'none' | 'checking' | 'not-paid' | { problem: Problem; purchase?: Unfinished };

interface Options {
  userId: number;
  finish: Finish;
  refetchStats: () => unknown;
}

/**
 * Finishes what began before: after a return from the provider's own pages, after a reload between paying
 * and confirming, or when the confirmation failed. The provider tells the server too, so that the entries
 * may be there before the server answers us: each try looks at the figures.
 */
export function useUnfinished({ userId, finish, refetchStats }: Options) {
  const [returned] = useState(() => takeReturned(userId));
  const [last, setLast] = useState<LastPurchase>(() => {
    if (returned?.failed) return { problem: paymentFailed() };
    return returned || recall(userId) ? 'checking' : 'none';
  });
  const toast = useToast();
  const gone = useRef(false);

  const say = useCallback(
    ({ title, sentence }: Problem) => toast({ title, description: sentence, tone: 'bad' }),
    [toast],
  );

  const ask = useCallback(
    async (purchase: Unfinished) => {
      const ended = await settle(
        () => finish(purchase),
        refetchStats,
        () => gone.current,
      );
      if (gone.current) return;
      if (ended === 'finished') return setLast('none');
      if (isFinal(ended.thrown) || isNotPaid(ended.thrown)) forget();
      if (isNotPaid(ended.thrown)) return setLast('not-paid');
      const problem = confirmationFailed(ended.thrown);
      setLast(isFinal(ended.thrown) ? { problem } : { problem, purchase });
      say(problem);
    },
    [finish, refetchStats, say],
  );

  useEffect(() => {
    gone.current = false;
    const purchase = returned?.purchase ?? recall(userId);
    if (returned?.failed) {
      forget();
      say(paymentFailed());
    } else if (purchase) {
      remember(purchase);
      void ask(purchase);
    }
    return () => {
      gone.current = true;
    };
  }, [userId, returned, ask, say]);

  const resume = (purchase: Unfinished) => {
    setLast('checking');
    void ask(purchase);
  };
  return { last, resume };
}

type Ended = 'finished' | { thrown: unknown };

/** Tries until it works, until trying again is no use, or until the page is left. */
async function settle(
  finish: () => Promise<void>,
  afterFailure: () => unknown,
  isGone: () => boolean,
): Promise<Ended> {
  let thrown: unknown;
  for (const wait of WAITS_MS) {
    await new Promise((next) => setTimeout(next, wait));
    if (isGone()) break;
    try {
      await finish();
      return 'finished';
    } catch (failure) {
      thrown = failure;
      afterFailure();
      if (isFinal(thrown)) break;
    }
  }
  return { thrown };
}

/** Asking again would get the same answer: it is somebody else's, or unknown, or was paid too late and is refunded. */
const isFinal = (thrown: unknown) =>
  [400, 403, 404, 409].some((status) => asApiError(thrown).status === status) && !isNotPaid(thrown);

const isNotPaid = (thrown: unknown) => asApiError(thrown).code === 'payment_not_confirmed';
