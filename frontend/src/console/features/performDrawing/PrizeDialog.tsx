import { useSetPrizeMutation, type PrizeView, type RaffleView } from '../../api/admin';
import { useAppForm } from '../../../shared/form/useAppForm';
import { raffleName } from '../../../shared/lib/raffleNames';
import { useToast } from '../../../shared/ui/toast/useToast';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';

const loadSchema = () =>
  import(/* webpackChunkName: "drawing-rules" */ './schema').then((file) => file.prizeSchema);

interface Props {
  raffle: RaffleView;
  onClose: () => void;
}

/** The prize that the next seal writes into the record of the drawing. */
export function PrizeDialog({ raffle, onClose }: Props) {
  const { landingPage, prize } = raffle;
  const [setPrize] = useSetPrizeMutation();
  const toast = useToast();
  const form = useAppForm<PrizeView>({
    schema: loadSchema,
    defaultValues: prize ?? { name: '', value: '' },
    send: async (prizeView) => {
      await setPrize({ landingPage, prizeView }).unwrap();
      onClose();
      toast({ title: 'Prize saved' });
    },
    explain: ({ sentence }) => sentence,
  });
  return (
    <FormDialog
      title={`Prize of ${raffleName(landingPage)}`}
      submitLabel={form.isSubmitting ? 'Saving...' : 'Save prize'}
      busy={form.isSubmitting}
      dirty={form.formState.isDirty}
      problem={form.problem}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <p className="dialog-text">
        The record of the next drawing names this prize. The page of the raffle keeps its own text.
      </p>
      <Field label="Prize" error={form.errors.name?.message}>
        {(props) => <input {...props} autoComplete="off" {...form.register('name')} />}
      </Field>
      <Field label="Value" hint="For example $49." error={form.errors.value?.message}>
        {(props) => <input {...props} autoComplete="off" {...form.register('value')} />}
      </Field>
    </FormDialog>
  );
}
