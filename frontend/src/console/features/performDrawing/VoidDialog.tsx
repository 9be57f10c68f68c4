import { useWatch } from 'react-hook-form';
import { useVoidDrawingMutation, type DrawingView } from '../../api/admin';
import { useAppForm } from '../../../shared/form/useAppForm';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { useToast } from '../../../shared/ui/toast/useToast';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Field } from '../../ui/Field';

interface Values {
  reason: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "drawing-rules" */ './schema').then((file) => file.voidSchema);

interface Props {
  drawing: DrawingView;
  onClose: () => void;
}

/** Gives up a drawing whose beacon never came. It stays public for ever, with this reason. */
export function VoidDialog({ drawing, onClose }: Props) {
  const [voidDrawing] = useVoidDrawingMutation();
  const toast = useToast();
  const form = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { reason: '' },
    send: async ({ reason }) => {
      await voidDrawing({ id: drawing.id, voidBody: { reason } }).unwrap();
      onClose();
      toast({ title: 'Drawing voided' });
    },
    explain: ({ sentence }) => sentence,
  });
  const reason = useWatch({ control: form.control, name: 'reason' });
  return (
    <ConfirmDialog
      title={`Void the drawing of ${raffleNames[drawing.landingPage]}?`}
      confirmLabel={form.isSubmitting ? 'Voiding...' : 'Void'}
      danger
      busy={form.isSubmitting}
      dirty={reason.trim() !== ''}
      problem={form.problem}
      onConfirm={form.submit}
      onClose={onClose}
    >
      <p>
        Nobody has won it, and nobody will. The drawing, its list and your reason stay public for
        ever. You can then draw this raffle again for the same month.
      </p>
      <Field label="Reason" hint="Public. 3 to 500 characters." error={form.errors.reason?.message}>
        {(props) => <textarea {...props} rows={3} {...form.register('reason')} />}
      </Field>
    </ConfirmDialog>
  );
}
