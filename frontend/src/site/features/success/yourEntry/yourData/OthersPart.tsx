import { useState } from 'react';
import { useAction } from '../../../../lib/useAction';
import { signOutOthers } from './api';
import { problemOf } from './words';

/** Ends what other browsers may see and do. This one stays. */
export function OthersPart({ id }: { id: number }) {
  const [isDone, setDone] = useState(false);
  const { start, busy, problem } = useAction(async () => {
    setDone(false);
    await signOutOthers(id);
    setDone(true);
  }, problemOf);
  return (
    <div className="data-part">
      <p>
        Lost a phone, or entered on one that is not yours? Sign out all browsers but this one: they
        no longer show your number, your settings or your data.
      </p>
      <p role="status" className="note">
        {isDone && 'Other browsers are signed out.'}
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
        {busy ? 'Signing out...' : 'Sign out other browsers'}
      </button>
    </div>
  );
}
