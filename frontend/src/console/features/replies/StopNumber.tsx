import { useOptNumberOutMutation } from '../../api/sms';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { Field } from '../../ui/Field';
import { StopTextsDialog } from '../../ui/StopTextsDialog';

interface Values {
  phoneNumber: string;
  reason: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "reply-rules" */ './schema').then((file) => file.stopNumberSchema);

/** For calls and letters: the number may be of nobody who entered. */
export function StopNumber({ onClose }: { onClose: () => void }) {
  const form = useStop(onClose);
  const phoneNumber = form.register('phoneNumber'); // before the reason: the first that is wrong gets the focus
  return (
    <StopTextsDialog
      title="Stop texts to a number?"
      reason={form.register('reason')}
      reasonError={form.errors.reason?.message}
      busy={form.isSubmitting}
      dirty={form.formState.isDirty}
      problem={form.problem}
      onConfirm={form.submit}
      onClose={onClose}
    >
      <Field
        label="Phone number"
        hint="Of anybody, also of people who never entered."
        error={form.errors.phoneNumber?.message}
      >
        {(props) => <input {...props} type="tel" autoComplete="off" required {...phoneNumber} />}
      </Field>
    </StopTextsDialog>
  );
}

function useStop(onDone: () => void) {
  const [optOut] = useOptNumberOutMutation();
  const toast = useToast();

  async function send({ phoneNumber, reason }: Values) {
    await optOut({ numberOptOutBody: { phoneNumber: phoneNumber.trim(), reason } }).unwrap();
    onDone();
    toast({ title: 'This number gets no more texts' });
  }

  return useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { phoneNumber: '', reason: '' },
    send,
    explain: ({ sentence }) => sentence,
  });
}
