import type { ReactNode, SubmitEvent } from 'react';
import { timeOfDay } from '../lib/moments';
import type { SentCode } from '../lib/sentCode';
import type { CodeFormState } from '../lib/useCodeForm';
import { CodeField } from './CodeField';
import { SendAgain } from './SendAgain';

interface Props extends SentToProps {
  form: CodeFormState;
  className: string;
  /** The name of the form. */
  label: string;
  confirmLabel?: string;
  /** A button beside the one that sends another code. */
  other?: ReactNode;
  /** What stands below the buttons. */
  children?: ReactNode;
}

/** Where the code of a text is confirmed, or asked for again. */
export function CodeForm(props: Props) {
  const { form, className, label, confirmLabel = 'Confirm code', other, children } = props;
  const { secondsLeft, sending, wasResent } = form.again;
  const again = <SendAgain {...form.again} />;

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    form.submitTyped();
  };

  return (
    <form className={className} onSubmit={onSubmit} noValidate aria-label={label}>
      <SentTo {...props} code={form.code} />
      <CodeField field={form.field} error={form.fieldError} sentId="code-sent" />
      <div role="alert" className="problem">
        {form.problem}
      </div>
      <button type="submit" className="button" aria-disabled={form.checking}>
        {form.checking ? 'Checking...' : confirmLabel}
      </button>
      {other ? (
        <div className="code-others">
          {again}
          {other}
        </div>
      ) : (
        again
      )}
      <p role="status" className="code-resent">
        {wasResent && 'We sent a new code. Use that one.'}
      </p>
      {/* The countdown is read where it stands; only its end is announced. */}
      <p role="status" className="unseen">
        {secondsLeft === 0 && !sending && 'You can have the code sent again now.'}
      </p>
      {children}
    </form>
  );
}

interface SentToProps {
  /** What comes before the number: that a code was texted to it. */
  sentTo: string;
  phone: string;
}

function SentTo({ code, sentTo, phone }: SentToProps & { code: SentCode }) {
  const number = <strong className="phone">{phone}</strong>;
  if (code.undeliverable) {
    return (
      <div id="code-sent">
        <p>{number}</p>
        <p role="alert" className="problem">
          We could not text this number. Is it a mobile phone?
        </p>
      </div>
    );
  }
  return (
    <p id="code-sent">
      {sentTo} {number}. It expires at <span className="date">{timeOfDay(code.worksUntil)}</span>.
    </p>
  );
}
