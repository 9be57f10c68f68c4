import { useEffect, useRef, useState } from 'react';
import { useAction } from './useAction';
import type { Act } from './useClaim';

interface Props {
  act: Act;
  onClose: () => void;
}

/** Asks before the prize is turned down, which cannot be taken back. */
export function DeclineDialog({ act, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { start, busy, problem } = useAction(() => act('decline'));
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      // It is removed by now, so the browser does not give the focus back by itself.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [opener]);
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <dialog
      ref={dialog}
      className="decline"
      aria-labelledby="decline-title"
      onCancel={(event) => {
        event.preventDefault(); // the owner closes it, by no longer rendering it
        close();
      }}
    >
      <h2 id="decline-title">Decline the prize?</h2>
      <p>It goes to the next entry that was drawn. You cannot take this back.</p>
      <div role="alert" className="problem">
        {problem}
      </div>
      <button type="button" className="button" onClick={close}>
        Keep my claim
      </button>
      <button
        type="button"
        className="button quiet"
        aria-disabled={busy}
        onClick={() => void start()}
      >
        {busy ? 'Declining...' : 'Decline the prize'}
      </button>
    </dialog>
  );
}
