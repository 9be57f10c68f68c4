import { useWatch } from 'react-hook-form';
import { useMarkDuplicateMutation } from '../../api/people';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Field } from '../../ui/Field';

interface Values {
  userId: number | '';
  reason: string;
}

interface Props {
  id: number;
  onClose: () => void;
}

const loadSchema = () =>
  import(/* webpackChunkName: "people-rules" */ './schema').then((file) => file.duplicateSchema);

/** Marks an entry as the same person's as another one. */
export function DuplicateDialog({ id, onClose }: Props) {
  const { register, control, errors, isSubmitting, problem, submit } = useMark(id, onClose);
  const typed = useWatch({ control });
  return (
    <ConfirmDialog
      title="Mark this entry as a duplicate?"
      confirmLabel={isSubmitting ? 'Marking...' : 'Mark as a duplicate'}
      danger
      busy={isSubmitting}
      dirty={Boolean(typed.userId) || Boolean(typed.reason?.trim())}
      problem={problem}
      onConfirm={submit}
      onClose={onClose}
    >
      <p>
        The entry is flagged, so it takes part in no drawing that is not sealed. The person sees why
        and can appeal. You can undo it.
      </p>
      <Field
        label="ID of the entry that stays"
        hint="It stands on that person's page."
        error={errors.userId?.message}
      >
        {(props) => (
          <input
            {...props}
            inputMode="numeric"
            autoComplete="off"
            required
            {...register('userId')}
          />
        )}
      </Field>
      <Field label="Reason" hint="For staff." error={errors.reason?.message}>
        {(props) => <textarea {...props} rows={2} required {...register('reason')} />}
      </Field>
    </ConfirmDialog>
  );
}

function useMark(id: number, onDone: () => void) {
  const [mark] = useMarkDuplicateMutation();
  const toast = useToast();

  async function send({ userId, reason }: Values) {
    await mark({ id, duplicateBody: { userId: Number(userId), reason: reason.trim() } }).unwrap();
    onDone();
    toast({ title: 'Marked as a duplicate' });
  }

  return useAppForm<Values>({
    // The rules turn the text into a number.
    schema: loadSchema as never,
    defaultValues: { userId: '', reason: '' },
    send,
    explain: ({ sentence }) => sentence,
  });
}
