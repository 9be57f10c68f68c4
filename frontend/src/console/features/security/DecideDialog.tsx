import { useWatch } from 'react-hook-form';
import type { AppealView, DecisionView } from '../../api/admin';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Field } from '../../ui/Field';
import { useDecideForm } from './useDecideForm';
import { WhyFlagged } from '../../ui/WhyFlagged';

export interface Deciding {
  appeal: AppealView;
  decision: DecisionView;
}

interface Props extends Deciding {
  onClose: () => void;
}

const words = {
  accept: { act: 'Accept', acting: 'Accepting...', hint: 'Optional. The user reads it.' },
  reject: { act: 'Reject', acting: 'Rejecting...', hint: 'The user reads it: say why.' },
};

/** Decides an appeal, with a note that the user reads. Accepting ends the flag. */
export function DecideDialog({ appeal, decision, onClose }: Props) {
  const form = useDecideForm(appeal.id, decision, onClose);
  const { register, control, errors, isSubmitting, problem, submit } = form;
  const note = useWatch({ control, name: 'note' });
  const { act, acting, hint } = words[decision];
  const { user, reason, evidence, message } = appeal;

  return (
    <ConfirmDialog
      title={`${act} the appeal of ${maskPhone(user.phoneNumber)}?`}
      confirmLabel={isSubmitting ? acting : act}
      danger={decision === 'reject'}
      busy={isSubmitting}
      dirty={note.trim() !== ''}
      problem={problem}
      onConfirm={submit}
      onClose={onClose}
    >
      <p>
        {decision === 'accept'
          ? `This user takes part in the drawings of ${raffleName(user.landingPage)} again, with all entries. Fraud detection won't flag them again.`
          : 'The flag stays, and the entries stay out of all drawings. The user can write to us again.'}
      </p>
      <div className="quiet-text">
        Flagged for: <WhyFlagged evidence={evidence} reason={reason} />
      </div>
      <blockquote className="own-words">{message}</blockquote>
      <Field label="Note" hint={hint} error={errors.note?.message}>
        {(props) => (
          <textarea {...props} rows={3} required={decision === 'reject'} {...register('note')} />
        )}
      </Field>
    </ConfirmDialog>
  );
}
