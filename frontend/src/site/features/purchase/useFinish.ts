import { useCallback } from 'react';
import { formatCount } from '../../../shared/lib/format';
import { track } from '../../lib/tracked';
import { useToast } from '../../../shared/ui/toast/useToast';
import { useConfirmPaymentMutation } from './api';
import { forget, type Unfinished } from './unfinished';

export type Finish = (purchase: Unfinished) => Promise<void>;

/** Asks the server to confirm what was paid, as often as it takes: it credits once. Throws what kept it from doing so. */
export function useFinish(refetchStats: () => unknown): Finish {
  const [confirmPayment] = useConfirmPaymentMutation();
  const toast = useToast();
  return useCallback(
    async (purchase) => {
      const { eventId, entriesAdded } = await confirmPayment({
        confirmPaymentBody: purchase,
      }).unwrap();
      forget();
      track({ kind: 'purchase', eventId });
      toast({
        title: 'Purchase successful!',
        description: `${formatCount(entriesAdded)} additional entries have been added to your account.`,
      });
      refetchStats();
    },
    [confirmPayment, toast, refetchStats],
  );
}
