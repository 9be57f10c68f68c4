import { useId } from 'react';
import { Button } from '../ui/Button';
import { useModal } from '../ui/useModal';
import { answered, useWaiting, type Waiting } from './unsavedChanges';

/** Asks before something closes a form that holds changes. */
export function DiscardDialog() {
  const waiting = useWaiting();
  // Asked again, it opens again, above the dialog that is asked about.
  return waiting && <Asking key={waiting.nth} waiting={waiting} />;
}

/** No ConfirmDialog: this is part of every screen, and should be light. */
function Asking({ waiting }: { waiting: Waiting }) {
  const dialog = useModal();
  const id = useId();
  const keep = () => answered(waiting);
  const agree = () => {
    keep();
    waiting.act();
  };
  return (
    <dialog
      ref={dialog}
      className="dialog"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={keep} // Escape
    >
      <div className="dialog-text">
        <h2 id={`${id}-title`}>Discard your changes?</h2>
        <p id={`${id}-text`}>What you typed is not saved yet.</p>
        <div className="dialog-actions">
          <Button onClick={keep}>Keep editing</Button>
          <Button variant="danger" onClick={agree}>
            Discard
          </Button>
        </div>
      </div>
    </dialog>
  );
}
