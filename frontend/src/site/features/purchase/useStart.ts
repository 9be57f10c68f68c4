import { useRef, useState } from 'react';
import { useToast } from '../../../shared/ui/toast/useToast';
import { useCreatePaymentIntentMutation, type Package } from './api';
import type { Order } from './order';
import type { PaymentDialog } from './PaymentDialog';
import { setupFailed, startFailed, unproved, type Problem } from './problems';

export interface StartedOrder extends Order {
  /** Comes with the first purchase, in a file of its own. */
  Dialog: typeof PaymentDialog;
}

const loadDialog = () =>
  import(/* webpackChunkName: "purchase-dialog" */ './PaymentDialog').then(
    (file) => file.PaymentDialog,
    () => undefined,
  );

interface Options {
  userId: number;
  onOrder: (order: StartedOrder) => void;
}

/** From the button of a package to its order: at most one at a time, however often it is pressed. */
export function useStart({ userId, onOrder }: Options) {
  const [createPaymentIntent] = useCreatePaymentIntentMutation();
  const toast = useToast();
  const [starting, setStarting] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const [failed, setFailed] = useState<number>();
  const busy = useRef(false);

  async function order(pack: Package, publishableKey: string) {
    const loading = loadDialog();
    const { id: packageId, price: amount, entries: entriesAdded } = pack;
    const body = { userId, amount, entriesAdded, packageId };
    const intent = await createPaymentIntent({ createPaymentIntentBody: body })
      .unwrap()
      .catch(startFailed);
    if ('title' in intent) return intent;
    const Dialog = await loading;
    if (!Dialog) return setupFailed;
    const { paymentIntentId, clientSecret } = intent;
    onOrder({ pack, paymentIntentId, clientSecret, publishableKey, Dialog });
    return undefined;
  }

  async function start(pack: Package, publishableKey: string) {
    if (busy.current) return;
    busy.current = true;
    setProblem(undefined);
    setFailed(undefined);
    setStarting(pack.id);
    const failure = await order(pack, publishableKey);
    busy.current = false;
    setStarting(undefined);
    setProblem(failure);
    setFailed(failure && pack.id);
    // What stands in the place of the buttons then says all of it.
    if (failure && failure !== unproved)
      toast({ title: failure.title, description: failure.sentence, tone: 'bad' });
  }

  return { start, starting, problem, failed };
}
