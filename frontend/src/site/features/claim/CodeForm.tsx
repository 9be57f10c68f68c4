import type { SubmitEvent } from 'react';
import { timeOfDay } from '../../lib/moments';
import { useCodeForm } from '../../lib/useCodeForm';
import { useSecondsUntil } from '../../lib/useSecondsUntil';
import { CodeField } from '../../ui/CodeField';
import { SendAgain } from '../../ui/SendAgain';
import type { Claim } from './api';
import type { StepProps } from './steps';
import { useAction } from '../../lib/useAction';
import type { Act } from './useClaim';
import { sentenceOf } from '../../lib/sentenceOf';

/** What the server makes people wait at most. */
const MOST_S = 60;

interface Props extends StepProps {
  code: NonNullable<Claim['code']>;
  /** Whether the visitor has just asked for the code. */
  wasAsked: boolean;
  act: Act;
}

export function CodeForm({ claim, code, wasAsked, receivedAt, act }: Props) {
  const form = useCodeForm({
    sentAt: Date.parse(code.expiresAt),
    verify: (typed) => act('verify', { code: typed }),
    onVerified: () => undefined, // the claim says what comes next
    takesFocus: wasAsked,
    explain: sentenceOf,
  });
  const secondsLeft = useSecondsUntil(receivedAt + code.resendAfter * 1_000, MOST_S);
  const again = useAction(async () => {
    form.say();
    await act('code');
    form.startAgain();
  });

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    form.confirm();
  };

  return (
    <form className="code" onSubmit={onSubmit} noValidate aria-label="Confirm your number">
      <p id="code-sent">
        We texted a 6-digit code to <strong className="phone">{claim.phoneNumber}</strong>. It works
        until <span className="date">{timeOfDay(code.expiresAt)}</span>.
      </p>
      <CodeField field={form.field} error={form.fieldError} sentId="code-sent" />
      <div role="alert" className="problem">
        {form.problem ?? again.problem}
      </div>
      <button type="submit" className="button" aria-disabled={form.checking}>
        {form.checking ? 'Checking...' : 'Confirm code'}
      </button>
      <SendAgain secondsLeft={secondsLeft} sending={again.busy} resend={again.start} />
      {/* The countdown is read where it stands; only its end is announced. */}
      <p role="status" className="unseen">
        {secondsLeft === 0 && !again.busy && 'You can have the code sent again now.'}
      </p>
    </form>
  );
}
