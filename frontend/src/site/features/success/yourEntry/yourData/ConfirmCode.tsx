import { sentCodeOf } from '../../../../lib/sentCode';
import { useCodeForm } from '../../../../lib/useCodeForm';
import { CodeForm } from '../../../../ui/CodeForm';
import type { DataRequest } from './api';
import type { Requests } from './useRequests';
import { problemOf } from './words';

const words = {
  export: {
    sentTo: 'To get your copy, type the 6-digit code that we texted to',
    confirm: 'Confirm code',
    leave: 'Not now',
  },
  erasure: {
    sentTo: 'To delete your entry and data for good, type the 6-digit code that we texted to',
    confirm: 'Confirm and delete',
    leave: 'Keep my entry',
  },
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
export function ConfirmCode(props: Props) {
  const { request, verification, phone, wasAsked, requests, onLeave } = props;
  const { sentTo, confirm, leave } = words[request.requestType];
  const form = useCodeForm({
    code: sentCodeOf(verification, requests.receivedAt),
    confirm: (code) => requests.confirm(verification.id, code), // the request says what comes next
    resend: () => requests.make(request.requestType),
    explain: problemOf,
    takesFocus: wasAsked,
  });
  return (
    <CodeForm
      form={form}
      className="code data-code"
      label="Confirm with a code"
      sentTo={sentTo}
      phone={phone}
      confirmLabel={confirm}
      other={
        <button type="button" className="button quiet" onClick={onLeave}>
          {leave}
        </button>
      }
    />
  );
}
