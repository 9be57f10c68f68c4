import type { SubmitEvent } from 'react';
import { timeOfDay } from '../../../../lib/moments';
import { useAction } from '../../../../lib/useAction';
import { useCodeForm } from '../../../../lib/useCodeForm';
import { useSecondsUntil } from '../../../../lib/useSecondsUntil';
import { CodeField } from '../../../../ui/CodeField';
import { SendAgain } from '../../../../ui/SendAgain';
import type { DataRequest } from './api';
import type { Requests } from './useRequests';
import { problemOf } from './words';

/** What the server makes people wait at most. */
const MOST_S = 60;

const words = {
  export: { confirm: 'Confirm code', leave: 'Not now' },
  erasure: { confirm: 'Confirm and delete', leave: 'Keep my entry' },
};

interface Props {
  request: DataRequest;
  verification: NonNullable<DataRequest['verification']>;
  /** In full: this is the browser that entered. */
  phone: string;
  /** Whether the visitor has just asked for the code. */
  wasAsked: boolean;
  requests: Requests;
  onLeave: () => void;
}

/** A code that we text to the number confirms a request. */
export function CodeForm(props: Props) {
  const { request, verification, phone, wasAsked, requests, onLeave } = props;
  const { requestType } = request;
  const form = useCodeForm({
    sentAt: Date.parse(verification.expiresAt),
    verify: (code) => requests.confirm(verification.id, code),
    onVerified: () => undefined, // the request says what comes next
    takesFocus: wasAsked,
    explain: problemOf,
  });
  const resendAt = requests.receivedAt + verification.resendAfter * 1_000;
  const secondsLeft = useSecondsUntil(resendAt, MOST_S);
  const again = useAction(async () => {
    form.say();
    await requests.make(requestType);
    form.startAgain();
  });

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    form.confirm();
  };

  return (
    <form
      className="code data-code"
      onSubmit={onSubmit}
      noValidate
      aria-label="Confirm with a code"
    >
      <p id="code-sent">
        {requestType === 'erasure'
          ? 'To delete your entry and data for good, '
          : 'To get your copy, '}
        type the 6-digit code that we texted to <strong className="phone">{phone}</strong>. It works
        until <span className="date">{timeOfDay(verification.expiresAt)}</span>.
      </p>
      <CodeField field={form.field} error={form.fieldError} sentId="code-sent" />
      <div role="alert" className="problem">
        {form.problem ?? again.problem}
      </div>
      <button type="submit" className="button" aria-disabled={form.checking}>
        {form.checking ? 'Checking...' : words[requestType].confirm}
      </button>
      <div className="code-others">
        <SendAgain secondsLeft={secondsLeft} sending={again.busy} resend={again.start} />
        <button type="button" className="button quiet" onClick={onLeave}>
          {words[requestType].leave}
        </button>
      </div>
      {/* The countdown is read where it stands; only its end is announced. */}
      <p role="status" className="unseen">
        {secondsLeft === 0 && !again.busy && 'You can have the code sent again now.'}
      </p>
    </form>
  );
}
