import { useFlagUserMutation, type PublicReasonView } from '../../api/admin';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';

interface Values {
  reason: string;
  publicReason: PublicReasonView;
}

const loadSchema = () =>
  import(/* webpackChunkName: "reason-rules" */ './schema').then((file) => file.flagSchema);

/** Keeps a user out of the drawings. */
export function useFlagForm(userId: number, reason: string, onDone: () => void) {
  const [flag] = useFlagUserMutation();
  const toast = useToast();

  async function send({ reason, publicReason }: Values) {
    await flag({ flagBody: { userId, reason, publicReason } }).unwrap();
    onDone();
    toast({ title: 'User flagged' });
  }

  return useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { reason, publicReason: 'several_accounts' },
    send,
    explain: ({ sentence }) => sentence,
  });
}
