import { useEffect, useRef, useState } from 'react';
import type { Claim } from './api';
import { CannotText } from './CannotText';
import { CodeForm } from './CodeForm';
import type { StepProps } from './steps';
import { useAction } from '../../lib/useAction';
import type { Act } from './useClaim';

interface Props extends StepProps {
  act: Act;
  refetch: () => Promise<void>;
}

/** A code that we text to the winning number proves that it is the visitor's. */
export function ProveStep({ claim, receivedAt, act, refetch }: Props) {
  const { code, status, canText } = claim;
  const [hadCode, setHadCode] = useState(false);
  if (code && !hadCode) setHadCode(true);
  const [wasAsked, setAsked] = useState(false);
  return (
    <>
      {status === 'code_verified' && (
        <p>
          This number was confirmed before, but not in this browser. To go on here, confirm it here
          too.
        </p>
      )}
      {code ? (
        <CodeForm {...{ claim, code, wasAsked, receivedAt, act }} />
      ) : canText ? (
        <AskForCode claim={claim} isRenewal={hadCode} act={act} onAsk={() => setAsked(true)} />
      ) : (
        <CannotText claim={claim} act={act} refetch={refetch} />
      )}
    </>
  );
}

interface AskProps {
  claim: Claim;
  /** A code was shown before, and is worth nothing any more. */
  isRenewal: boolean;
  act: Act;
  onAsk: () => void;
}

function AskForCode({ claim, isRenewal, act, onAsk }: AskProps) {
  const { start, busy, problem } = useAction(() => {
    onAsk();
    return act('code');
  });
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isRenewal) button.current?.focus(); // what had it is gone
  }, [isRenewal]);
  const label = isRenewal ? 'Text me a new code' : 'Text me a code';
  return (
    <>
      {isRenewal && (
        <p role="alert" className="problem">
          This code no longer works: a code is good for 10 minutes and 5 tries.
        </p>
      )}
      <p>
        The entry belongs to the number <strong className="phone">{claim.phoneNumber}</strong>. To
        show that it is yours, we text a 6-digit code to it. Message and data rates may apply.
      </p>
      <div role="alert" className="problem">
        {problem}
      </div>
      <button
        ref={button}
        type="button"
        className="button"
        aria-disabled={busy}
        onClick={() => void start()}
      >
        {busy ? 'Sending...' : label}
      </button>
    </>
  );
}
