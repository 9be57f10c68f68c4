import type { StripeElements } from '@stripe/stripe-js';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { formatCount, formatMoney } from '../../../shared/lib/format';
import { useToast } from '../../../shared/ui/toast/useToast';
import type { Package } from './api';
import type { Order } from './order';
import { pay } from './payment';
import { PaymentForm } from './PaymentForm';
import {
  confirmationFailed,
  formFailed,
  paymentFailed,
  scriptFailed,
  setupFailed,
  type Problem,
} from './problems';
import { forget, returnUrl } from './unfinished';
import { usePaymentDialog } from './usePaymentDialog';
import { useStripe } from './useStripe';

interface Props {
  order: Order;
  entriesNow: number | undefined;
  /** From here on it may be paid, whatever happens to the page. */
  onPay: () => void;
  /** It is paid: resolves when the entries are there. */
  onPaid: () => Promise<void>;
  /** Rejecting the dialog, or the end of the purchase. What is paid and not confirmed goes on elsewhere. */
  onClose: (how: { isPaid: boolean }) => void;
}

type Step = 'filling' | 'paying' | 'confirming' | 'unconfirmed';

export function PaymentDialog({ order, entriesNow, onPay, onPaid, onClose }: Props) {
  const [step, setStep] = useState<Step>('filling');
  const [problem, setProblem] = useState<Problem>();
  const [elements, setElements] = useState<StripeElements>();
  const { stripe, retry } = useStripe(order.publishableKey);
  const toast = useToast();
  const busy = useRef(false);
  const isBusy = step === 'paying' || step === 'confirming';
  const dialog = usePaymentDialog(isBusy);

  function fail(failure: Problem) {
    busy.current = false;
    setProblem(failure);
    toast({ title: failure.title, description: failure.sentence, tone: 'bad' });
  }

  const hasFailed = stripe === 'failed';
  const isPaid = step === 'confirming' || step === 'unconfirmed';
  const canSubmit = !isBusy && (isPaid || hasFailed || elements !== undefined);
  useEffect(() => {
    if (!hasFailed) return;
    toast({ title: scriptFailed.title, description: scriptFailed.sentence, tone: 'bad' });
  }, [hasFailed, toast]);

  // Who goes back from the provider's own pages may find this one as it was left: in the middle of paying.
  useEffect(() => {
    if (step !== 'paying') return;
    const resume = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      busy.current = false;
      setStep('filling');
      setProblem(paymentFailed());
    };
    addEventListener('pageshow', resume);
    return () => removeEventListener('pageshow', resume);
  }, [step]);

  async function confirm() {
    setStep('confirming');
    try {
      await onPaid();
      onClose({ isPaid: false });
    } catch (thrown) {
      setStep('unconfirmed');
      fail(confirmationFailed(thrown));
    }
  }

  async function payAndConfirm() {
    if (typeof stripe === 'string' || !elements) return;
    setStep('paying');
    onPay();
    try {
      const { clientSecret, pack } = order;
      const payment = await pay({ stripe, elements, clientSecret, returnUrl: returnUrl(pack.id) });
      if (payment.state === 'succeeded') return await confirm();
      if (payment.state === 'processing') return onClose({ isPaid: true });
      forget();
      fail(paymentFailed(payment.sentence));
    } catch (thrown) {
      fail(paymentFailed(messageOf(thrown)));
    }
    setStep('filling');
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (busy.current || !canSubmit) return;
    if (hasFailed) return retry();
    busy.current = true; // until it fails: what succeeded is not done again
    setProblem(undefined);
    await (step === 'unconfirmed' ? confirm() : payAndConfirm());
  }

  function close() {
    if (isBusy) return;
    if (step === 'filling') forget();
    onClose({ isPaid: step === 'unconfirmed' });
  }

  const shown = hasFailed ? scriptFailed : problem;
  return (
    <dialog
      ref={dialog}
      className="buy"
      aria-labelledby="buy-title"
      closedby={isBusy ? 'none' : 'closerequest'}
      onCancel={(event) => {
        event.preventDefault(); // the owner closes it, by no longer rendering it
        close();
      }}
      onClose={() => {
        if (!dialog.current?.open) close(); // a second Escape cannot be held back
      }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate aria-busy={isBusy}>
        <h2 id="buy-title" tabIndex={-1}>
          Complete Your Purchase
        </h2>
        <Summary pack={order.pack} entriesNow={entriesNow} />
        {isPaid ? (
          <p role="status">Your payment went through. You don't need to pay again.</p>
        ) : (
          <div className="buy-fields" data-ready={elements !== undefined}>
            {!elements && !shown && <p role="status">Loading the payment form...</p>}
            {typeof stripe !== 'string' && (
              <PaymentForm
                stripe={stripe}
                clientSecret={order.clientSecret}
                onReady={setElements}
                onLoadError={() => fail(formFailed)}
                onSetupError={() => fail(setupFailed)}
              />
            )}
          </div>
        )}
        <div role="alert" className="problem">
          {shown && `${shown.title}: ${shown.sentence}`}
        </div>
        <p role="status" className="unseen">
          {isBusy && 'Processing...'}
        </p>
        <div className="buy-actions">
          <button
            type="button"
            className="button quiet"
            aria-disabled={isBusy || undefined}
            onClick={close}
          >
            {isPaid ? 'Close' : 'Cancel'}
          </button>
          <button type="submit" className="button" aria-disabled={!canSubmit || undefined}>
            {isBusy ? 'Processing...' : isPaid || hasFailed ? 'Try again' : 'Complete Payment'}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** What the provider's script threw, by its own words if it has any. */
const messageOf = (thrown: unknown) =>
  thrown instanceof Error && thrown.message ? thrown.message : undefined;

function Summary({ pack, entriesNow }: { pack: Package; entriesNow: number | undefined }) {
  return (
    <dl className="buy-summary">
      <div>
        <dt>{pack.name}</dt>
        <dd>+{formatCount(pack.entries)} entries</dd>
      </div>
      <div>
        <dt>Total entries after purchase</dt>
        <dd>{entriesNow === undefined ? '…' : formatCount(entriesNow + pack.entries)}</dd>
      </div>
      <div className="buy-total">
        <dt>Total</dt>
        <dd className="figure">{formatMoney(pack.price)}</dd>
      </div>
    </dl>
  );
}
