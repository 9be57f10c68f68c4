import { useId, type ReactNode, type SubmitEvent } from 'react';
import { useUnsavedChanges } from '../form/unsavedChanges';
import { Button } from './Button';
import { useModal } from './useModal';

interface Props {
  title: string;
  /** An alert asks about an act; a plain dialog takes what is typed. */
  role?: 'dialog' | 'alertdialog';
  describedBy?: string;
  children: ReactNode;
  /** Names the act. */
  submitLabel: string;
  /** For an act that is itself called cancelling. */
  closeLabel?: string;
  danger?: boolean;
  /** The act is under way. */
  busy?: boolean;
  /** Something was typed: closing asks whether to discard it. */
  dirty?: boolean;
  /** Why it failed, said in the dialog: nothing outside of it can be reached. */
  problem?: string | undefined;
  onSubmit: () => void;
  onClose: () => void;
}

/**
 * A form over the page. The browser's own modal dialog keeps the focus inside, closes with Escape and gives
 * the focus back; render it only while it is open. Esc and Cancel do nothing while the act is under way, and
 * ask when something that was typed would be lost.
 */
export function FormDialog(props: Props) {
  const { title, role = 'dialog', describedBy, children, submitLabel, problem } = props;
  const { closeLabel = 'Cancel', danger = false, busy = false, dirty = false, onSubmit } = props;
  const dialog = useModal();
  const leave = useUnsavedChanges(dirty);
  const close = () => leave(props.onClose);
  const titleId = useId();

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };

  return (
    <dialog
      ref={dialog}
      className="dialog"
      role={role}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      closedby={busy ? 'none' : 'closerequest'} // where it is not known, onCancel holds back one Escape
      onCancel={(event) => {
        event.preventDefault(); // the owner closes it, by no longer rendering it
        if (!busy) close();
      }}
      onClose={() => {
        // A second Escape cannot be held back.
        if (dirty) dialog.current?.showModal();
        close();
      }}
    >
      <form onSubmit={submit} noValidate>
        <h2 id={titleId}>{title}</h2>
        {children}
        <div role="alert" className="problem">
          {problem}
        </div>
        <div className="dialog-actions">
          <Button onClick={close} busy={busy}>
            {closeLabel}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
