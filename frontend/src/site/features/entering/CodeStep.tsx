import { useEffect, useRef, type SubmitEvent } from 'react';
import { formatPhone, normalizePhone } from '../../../shared/lib/phone';
import { timeOfDay } from '../../lib/moments';
import { CodeField } from '../../ui/CodeField';
import { SendAgain } from '../../ui/SendAgain';
import type { CodeStepProps } from './stubProps';
import { useCode } from './useCode';
import { useResend } from './useResend';

/** The stub's second step: the code that was sent to the number proves that it is the visitor's. */
export function CodeStep(props: CodeStepProps) {
  const { pending, onResent, onLeave } = props;
  const code = useCode(props);
  const again = useResend({
    pending,
    onLeave,
    onProblem: code.say,
    onResent: (sent) => {
      onResent(sent);
      code.startAgain();
    },
  });
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    code.confirm();
  };

  return (
    <>
      <h2 id="stub-title" tabIndex={-1} ref={title}>
        Enter your code
      </h2>
      <form className="enter code" onSubmit={onSubmit} noValidate aria-label="Confirm your number">
        <p id="code-sent">
          We texted a 6-digit code to{' '}
          <strong className="phone">{formatPhone(normalizePhone(pending.phoneNumber))}</strong>. It
          works until <span className="date">{timeOfDay(pending.expiresAt)}</span>.
        </p>
        <CodeField field={code.field} error={code.fieldError} sentId="code-sent" />
        <div role="alert" className="problem">
          {code.problem}
        </div>
        <button type="submit" className="button" aria-disabled={code.checking}>
          {code.checking ? 'Checking...' : 'Confirm code'}
        </button>
        <div className="code-others">
          <SendAgain {...again} />
          <button type="button" className="button quiet" onClick={() => onLeave('changed')}>
            Change number
          </button>
        </div>
        <p role="status" className="code-resent">
          {again.wasResent && 'We sent another code. The one before no longer works.'}
        </p>
        {/* The countdown is read where it stands; only its end is announced. */}
        <p role="status" className="unseen">
          {again.secondsLeft === 0 && !again.sending && 'You can have the code sent again now.'}
        </p>
        <p className="note">
          No text? Check the number above. If you replied STOP, text START to{' '}
          <a className="phone" href={`sms:${pending.from}`}>
            {formatPhone(pending.from)}
          </a>{' '}
          first.
        </p>
      </form>
    </>
  );
}
