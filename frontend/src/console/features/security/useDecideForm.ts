import { useDecideAppealMutation, type DecisionView } from '../../api/admin';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';

interface Values {
  decision: DecisionView;
  note: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "reason-rules" */ './schema').then((file) => file.decisionSchema);

/** Decides an appeal. */
export function useDecideForm(id: number, decision: DecisionView, onDone: () => void) {
  const [decide] = useDecideAppealMutation();
  const toast = useToast();

  async function send({ note }: Values) {
    await decide({ id, decisionBody: { decision, ...(note && { note }) } }).unwrap();
    onDone();
    toast({ title: decision === 'accept' ? 'Appeal accepted' : 'Appeal rejected' });
  }

  return useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { decision, note: '' },
    send,
    explain: ({ sentence }) => sentence,
  });
}
