import { formatPhone } from '../../../shared/lib/phone';
import type { Claim } from './api';
import { useAction } from '../../lib/useAction';
import type { Act } from './useClaim';

interface Props {
  claim: Claim;
  act: Act;
  refetch: () => Promise<void>;
}

/** No code can be sent: START allows texts again, else this browser or a call proves the number. */
export function CannotText({ claim, act, refetch }: Props) {
  return (
    <>
      {claim.hasOptedOut ? (
        <OptedOut claim={claim} refetch={refetch} />
      ) : (
        <p>
          We cannot send texts to <strong className="phone">{claim.phoneNumber}</strong>. We call
          this number to confirm that it is yours. You can also write to us through the{' '}
          <a href="/contact">contact page</a>.
        </p>
      )}
      {claim.canProve && <ByBrowser act={act} />}
      <p className="note">
        Did we call already? <a href="/claim">Type the code that we told you</a>.
      </p>
    </>
  );
}

function OptedOut({ claim, refetch }: { claim: Claim; refetch: () => Promise<void> }) {
  const { start, busy } = useAction(refetch);
  const { textsFrom } = claim;
  return (
    <>
      <p>
        The number <strong className="phone">{claim.phoneNumber}</strong> replied STOP to our texts,
        so we cannot text it a code. Text START
        {textsFrom && (
          <>
            {' '}
            to{' '}
            <a className="phone" href={`sms:${textsFrom}`}>
              {formatPhone(textsFrom)}
            </a>
          </>
        )}{' '}
        from that phone, then come back to this page. If you cannot, we call the number.
      </p>
      <button type="button" className="button" aria-disabled={busy} onClick={() => void start()}>
        {busy ? 'Checking...' : 'I texted START'}
      </button>
    </>
  );
}

function ByBrowser({ act }: { act: Act }) {
  const { start, busy, problem } = useAction(() => act('prove'));
  return (
    <>
      <p>
        This is the browser that entered with this number, so you can also go on without a code.
      </p>
      <div role="alert" className="problem">
        {problem}
      </div>
      <button
        type="button"
        className="button quiet"
        aria-disabled={busy}
        onClick={() => void start()}
      >
        {busy ? 'Checking...' : 'Go on without a code'}
      </button>
    </>
  );
}
