import { useRef, useState } from 'react';
import { useUnflagUserMutation, type FlaggedUserView } from '../../api/admin';
import { asApiError } from '../../../shared/api/apiError';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Field } from '../../ui/Field';
import { useToast } from '../../../shared/ui/toast/useToast';

interface Props {
  user: FlaggedUserView;
  onClose: () => void;
}

/** Lets somebody win again; why is kept in the activity. */
export function UnflagDialog({ user, onClose }: Props) {
  const [unflag, { isLoading, error }] = useUnflagUserMutation();
  const [reason, setReason] = useState('');
  const [missed, setMissed] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const refusal = error && asApiError(error);
  const reasonError = refusal?.fields?.reason?.[0];

  async function confirm() {
    setMissed(!reason.trim());
    if (!reason.trim()) return input.current?.focus();
    const { error: failure } = await unflag({
      flagBody: { userId: user.id, reason: reason.trim() },
    });
    if (failure) return;
    onClose();
    toast({ title: 'User unflagged' });
  }

  return (
    <ConfirmDialog
      title={`Unflag ${maskPhone(user.phoneNumber)}?`}
      confirmLabel={isLoading ? 'Unflagging...' : 'Unflag'}
      busy={isLoading}
      problem={reasonError ? undefined : refusal?.sentence}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        This user takes part in the drawings of {raffleNames[user.landingPage]} again, with all
        entries. Fraud detection will not flag them anew.
      </p>
      <p className="quiet-text">Flagged for: {user.reason}</p>
      <Field
        label="Reason"
        hint="Kept in the activity."
        error={missed ? 'Say why, in a few words.' : reasonError}
      >
        {(control) => (
          <input
            {...control}
            ref={input}
            autoComplete="off"
            required
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}
