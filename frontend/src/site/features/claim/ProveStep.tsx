import { useEffect, useRef, useState } from 'react';
import { CODE_EXPIRED } from '../../lib/codeEnds';
import { sentCodeOf } from '../../lib/sentCode';
import { useCodeForm } from '../../lib/useCodeForm';
import { useSendCode } from '../../lib/useSendCode';
import { CodeForm } from '../../ui/CodeForm';
import type { Claim } from './api';
import { CannotText } from './CannotText';
import type { StepProps } from './steps';
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
        <ConfirmCode {...{ claim, code, wasAsked, receivedAt, act }} />
      ) : canText ? (
        <AskForCode claim={claim} isRenewal={hadCode} act={act} onAsk={() => setAsked(true)} />
      ) : (
        <CannotText claim={claim} act={act} refetch={refetch} />
      )}
    </>
  );
}

interface ConfirmProps extends Pick<Props, 'claim' | 'receivedAt' | 'act'> {
  code: NonNullable<Claim['code']>;
  /** Whether the visitor has just asked for the code. */
  wasAsked: boolean;
}

function ConfirmCode({ claim, code, wasAsked, receivedAt, act }: ConfirmProps) {
  const form = useCodeForm({
    code: sentCodeOf(code, receivedAt),
    confirm: (typed) => act('verify', { code: typed }), // the claim says what comes next
    resend: () => act('code'),
    takesFocus: wasAsked,
  });
  return (
    <CodeForm
      form={form}
      className="code"
      label="Confirm your number"
      sentTo="We texted a 6-digit code to"
      phone={claim.phoneNumber}
    />
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
  const { start, busy, problem } = useSendCode(() => {
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
          {CODE_EXPIRED}
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
