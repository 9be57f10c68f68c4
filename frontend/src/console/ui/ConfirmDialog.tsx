import { useId, useRef, useState, type ReactNode } from 'react';
import { Field } from './Field';
import { FormDialog } from './FormDialog';

interface Props {
  title: string;
  /** What will happen, in figures if there are any; more inputs may stand here too. */
  children: ReactNode;
  /** Names the act. */
  confirmLabel: string;
  closeLabel?: string;
  /** Has to be typed first, for what cannot be undone. */
  confirmWord?: string;
  danger?: boolean;
  /** The act is under way. */
  busy?: boolean;
  /** Something was typed that closing would lose. */
  dirty?: boolean;
  /** Why it failed. */
  problem?: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an act. */
export function ConfirmDialog(props: Props) {
  const { children, confirmLabel, confirmWord, onConfirm, ...rest } = props;
  const textId = useId();
  const word = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [missed, setMissed] = useState(false);

  const confirm = () => {
    const unconfirmed = confirmWord !== undefined && typed.trim() !== confirmWord;
    setMissed(unconfirmed);
    if (unconfirmed) word.current?.focus();
    else onConfirm();
  };

  return (
    <FormDialog
      role="alertdialog"
      describedBy={textId}
      submitLabel={confirmLabel}
      onSubmit={confirm}
      {...rest}
    >
      <div id={textId} className="dialog-text">
        {children}
      </div>
      {confirmWord !== undefined && (
        <Field
          label={`Type ${confirmWord} to confirm`}
          error={missed ? `Type ${confirmWord} in capital letters.` : undefined}
        >
          {(control) => (
            <input
              {...control}
              ref={word}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}
