import { useEffect, useId, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { Button } from './Button';
import { Field } from './Field';

interface Props {
  title: string;
  /** What will happen, in figures if there are any; more inputs may stand here too. */
  children: ReactNode;
  /** Names the act. */
  confirmLabel: string;
  /** Has to be typed first, for what cannot be undone. */
  confirmWord?: string;
  danger?: boolean;
  /** The act is under way. */
  busy?: boolean;
  /** Why it failed, said in the dialog: nothing outside of it can be reached. */
  problem?: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Asks before an act. The browser's own modal dialog keeps the focus inside, closes with Escape and gives
 * the focus back; render it only while it is open. Esc and Cancel do nothing while the act is under way.
 */
export function ConfirmDialog(props: Props) {
  const { title, children, confirmLabel, confirmWord, danger = false, busy = false } = props;
  const { problem, onConfirm, onClose } = props;
  const dialog = useModal();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [missed, setMissed] = useState(false);

  const confirm = (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const unconfirmed = confirmWord !== undefined && typed.trim() !== confirmWord;
    setMissed(unconfirmed);
    if (unconfirmed) dialog.current?.querySelector<HTMLElement>('.confirm-word input')?.focus();
    else onConfirm();
  };

  return (
    <dialog
      ref={dialog}
      className="dialog"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      closedby={busy ? 'none' : 'closerequest'} // where it is not known, onCancel holds back one Escape
      onCancel={(event) => {
        event.preventDefault(); // the owner closes it, by no longer rendering it
        if (!busy) onClose();
      }}
      onClose={onClose} // a second Escape cannot be held back
    >
      <form onSubmit={confirm} noValidate>
        <h2 id={`${id}-title`}>{title}</h2>
        <div id={`${id}-text`} className="dialog-text">
          {children}
        </div>
        {confirmWord !== undefined && (
          <div className="confirm-word">
            <Field
              label={`Type ${confirmWord} to confirm`}
              error={missed ? `Type ${confirmWord} in capital letters.` : undefined}
            >
              {(control) => (
                <input
                  {...control}
                  autoComplete="off"
                  autoCapitalize="characters"
                  spellCheck={false}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
          </div>
        )}
        <div role="alert" className="problem">
          {problem}
        </div>
        <div className="dialog-actions">
          <Button onClick={onClose} busy={busy}>
            Cancel
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </dialog>
  );
}

function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      // Closing gives the focus back by itself, but not when React has already taken the dialog out.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return dialog;
}
