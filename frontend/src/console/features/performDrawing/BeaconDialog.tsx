import { useWatch } from 'react-hook-form';
import { useBringBeaconMutation, type DrawingView } from '../../api/admin';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { NewTabLink } from '../../ui/NewTabLink';

interface Values {
  signature: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "drawing-rules" */ './schema').then((file) => file.beaconSchema);

interface Props {
  drawing: DrawingView;
  onClose: () => void;
}

/** Takes the beacon's value from staff when the server cannot reach the beacon. Only a valid signature counts. */
export function BeaconDialog({ drawing, onClose }: Props) {
  const { id, beacon } = drawing;
  const round = beacon?.round ?? 0;
  const [bring] = useBringBeaconMutation();
  const toast = useToast();
  const form = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { signature: '' },
    send: async ({ signature }) => {
      await bring({ id, beaconBody: { round, signature } }).unwrap();
      onClose();
      toast({ title: 'Drawing Complete!', description: "The beacon's signature is valid." });
    },
    explain: ({ sentence }) => sentence,
  });
  const signature = useWatch({ control: form.control, name: 'signature' });
  return (
    <FormDialog
      title={`Round ${round} of the beacon`}
      submitLabel={form.isSubmitting ? 'Checking...' : 'Check and draw'}
      busy={form.isSubmitting}
      dirty={signature.trim() !== ''}
      problem={form.problem}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <p className="dialog-text">
        The server asks the beacon again and again. If it cannot reach it and you can, copy the
        signature of this round. The server verifies it, so a wrong one changes nothing.
      </p>
      {beacon && (
        <p className="dialog-text">
          <NewTabLink href={`https://api.drand.sh/${beacon.chainHash}/public/${round}`}>
            See round {round}
          </NewTabLink>
        </p>
      )}
      <Field label="Signature" hint="96 hexadecimal digits." error={form.errors.signature?.message}>
        {(props) => (
          <textarea
            {...props}
            rows={3}
            autoComplete="off"
            spellCheck={false}
            {...form.register('signature')}
          />
        )}
      </Field>
    </FormDialog>
  );
}
