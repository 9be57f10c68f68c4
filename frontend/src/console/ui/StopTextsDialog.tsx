import type { ReactNode } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { ConfirmDialog } from './ConfirmDialog';
import { Field } from './Field';

interface Props {
  title: string;
  /** Which number, where it is not known yet. */
  children?: ReactNode;
  /** The input of the form that holds the reason. */
  reason: UseFormRegisterReturn;
  reasonError: string | undefined;
  busy: boolean;
  dirty: boolean;
  problem: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks why a number is to get no more texts, and says that staff cannot undo it. */
export function StopTextsDialog({ children, reason, reasonError, ...rest }: Props) {
  return (
    <ConfirmDialog confirmLabel={rest.busy ? 'Stopping...' : 'Stop texts'} danger {...rest}>
      <p>
        We send this number no more texts: no codes, and no news of a prize. Texts start again only
        when this number texts START to us.
      </p>
      {children}
      <Field label="Reason" hint="Saved in the activity log." error={reasonError}>
        {(props) => <textarea {...props} rows={2} required {...reason} />}
      </Field>
    </ConfirmDialog>
  );
}
