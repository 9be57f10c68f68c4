import { useWatch } from 'react-hook-form';
import type { FlaggedUserView } from '../../api/admin';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';
import { ConfirmDialog } from '../ConfirmDialog';
import { Field } from '../Field';
import { useUnflagForm } from './useUnflagForm';
import { WhyFlagged } from '../WhyFlagged';

interface Props {
  user: Pick<FlaggedUserView, 'id' | 'phoneNumber' | 'landingPage' | 'evidence' | 'reason'>;
  onClose: () => void;
}

/** Makes a user eligible to win again; the activity keeps the reason. */
export function UnflagDialog({ user, onClose }: Props) {
  const form = useUnflagForm(user.id, onClose);
  const { register, control, errors, isSubmitting, problem, submit } = form;
  const reason = useWatch({ control, name: 'reason' });

  return (
    <ConfirmDialog
      title={`Unflag ${maskPhone(user.phoneNumber)}?`}
      confirmLabel={isSubmitting ? 'Unflagging...' : 'Unflag'}
      busy={isSubmitting}
      dirty={reason.trim() !== ''}
      problem={problem}
      onConfirm={submit}
      onClose={onClose}
    >
      <p>
        This user takes part in the drawings of {raffleName(user.landingPage)} again, with all
        entries. Fraud detection won't flag them again.
      </p>
      <div className="quiet-text">
        Flagged for: <WhyFlagged evidence={user.evidence} reason={user.reason} />
      </div>
      <Field label="Reason" hint="Saved in the activity log." error={errors.reason?.message}>
        {(props) => (
          <input {...props} autoComplete="off" required maxLength={200} {...register('reason')} />
        )}
      </Field>
    </ConfirmDialog>
  );
}
