import { Elements, PaymentElement, useElements } from '@stripe/react-stripe-js';
import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { useState } from 'react';
import { currentAppearance } from './appearance';
import { SetupBoundary } from './SetupBoundary';

interface Props {
  stripe: Stripe;
  clientSecret: string;
  /** Somebody can fill it in now. */
  onReady: (elements: StripeElements) => void;
  /** The provider could not fill its frame. */
  onLoadError: () => void;
  onSetupError: () => void;
}

/** The provider's fields, in our colors. What is typed there never reaches this site. */
export function PaymentForm({ stripe, clientSecret, onSetupError, ...handlers }: Props) {
  const [options] = useState(() => ({ clientSecret, appearance: currentAppearance() }));
  return (
    <SetupBoundary onError={onSetupError}>
      <Elements stripe={stripe} options={options}>
        <Fields {...handlers} />
      </Elements>
    </SetupBoundary>
  );
}

function Fields({ onReady, onLoadError }: Pick<Props, 'onReady' | 'onLoadError'>) {
  const elements = useElements();
  return (
    <PaymentElement
      onReady={() => {
        if (elements) onReady(elements);
      }}
      onLoadError={onLoadError}
    />
  );
}
