import { loadStripe } from '@stripe/stripe-js/pure';
import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';

/** The element is mounted so much after the dialog, which is there and has its size by then. */
const MOUNT_DELAY_MS = 500;

type Loading = Stripe | 'loading' | 'failed';

/** The provider's script: nothing is asked of its host before this. */
export function useStripe(publishableKey: string) {
  const [stripe, setStripe] = useState<Loading>('loading');
  const [tries, setTries] = useState(1);

  useEffect(() => {
    let isCurrent = true;
    const settle = (loaded: Loading) => {
      if (isCurrent) setStripe(loaded);
    };
    const delay = new Promise((passed) => setTimeout(passed, MOUNT_DELAY_MS));
    Promise.all([loadStripe(publishableKey), delay]).then(
      ([loaded]) => settle(loaded ?? 'failed'),
      () => settle('failed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [publishableKey, tries]);

  const retry = () => {
    setStripe('loading');
    setTries(tries + 1);
  };
  return { stripe, retry };
}
