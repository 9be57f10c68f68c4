import { useUnflagUserMutation } from '../../api/admin';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';

interface Values {
  reason: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "reason-rules" */ './schema').then((file) => file.reasonSchema);

/** Makes a user eligible to win again. */
export function useUnflagForm(userId: number, onDone: () => void) {
  const [unflag] = useUnflagUserMutation();
  const toast = useToast();

  async function send({ reason }: Values) {
    await unflag({ unflagBody: { userId, reason } }).unwrap();
    onDone();
    toast({ title: 'User unflagged' });
  }

  return useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { reason: '' },
    send,
    explain: ({ sentence }) => sentence,
  });
}
