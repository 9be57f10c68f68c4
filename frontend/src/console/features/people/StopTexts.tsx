import { useOptPersonOutMutation } from '../../api/people';
import { useAppForm } from '../../../shared/form/useAppForm';
import { formatPhone } from '../../../shared/lib/phone';
import { useToast } from '../../../shared/ui/toast/useToast';
import { StopTextsDialog } from '../../ui/StopTextsDialog';

interface Values {
  reason: string;
}

interface Props {
  id: number;
  phoneNumber: string;
  onClose: () => void;
}

const loadSchema = () =>
  import(/* webpackChunkName: "people-rules" */ './schema').then((file) => file.optOutSchema);

/** For people who ask by phone or by post. */
export function StopTexts({ id, phoneNumber, onClose }: Props) {
  const form = useStop(id, onClose);
  return (
    <StopTextsDialog
      title={`Stop texts to ${formatPhone(phoneNumber)}?`}
      reason={form.register('reason')}
      reasonError={form.errors.reason?.message}
      busy={form.isSubmitting}
      dirty={form.formState.isDirty}
      problem={form.problem}
      onConfirm={form.submit}
      onClose={onClose}
    />
  );
}

function useStop(id: number, onDone: () => void) {
  const [optOut] = useOptPersonOutMutation();
  const toast = useToast();

  async function send(optOutBody: Values) {
    await optOut({ id, optOutBody }).unwrap();
    onDone();
    toast({ title: 'This number gets no more texts' });
  }

  return useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { reason: '' },
    send,
    explain: ({ sentence }) => sentence,
  });
}
