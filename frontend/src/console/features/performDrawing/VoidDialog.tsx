import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useVoidDrawingMutation, type DrawingView } from '../../api/admin';
import { useAppForm } from '../../../shared/form/useAppForm';
import { raffleName } from '../../lib/raffles';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isProposed, type Proposed } from '../../lib/proposal';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Field } from '../../ui/Field';
import { ProposedDialog } from '../../ui/Proposed';

interface Values {
  reason: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "drawing-rules" */ './schema').then((file) => file.voidSchema);

interface Props {
  drawing: DrawingView;
  onClose: () => void;
}

/** Voids a drawing whose beacon never came. It stays public for ever, with this reason. */
export function VoidDialog({ drawing, onClose }: Props) {
  const [voidDrawing] = useVoidDrawingMutation();
  const [proposal, setProposal] = useState<Proposed>();
  const toast = useToast();
  const form = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { reason: '' },
    send: async ({ reason }) => {
      const answer = await voidDrawing({ id: drawing.id, voidBody: { reason } }).unwrap();
      if (isProposed(answer)) return setProposal(answer);
      onClose();
      toast({ title: 'Drawing voided' });
    },
    explain: ({ sentence }) => sentence,
  });
  const reason = useWatch({ control: form.control, name: 'reason' });
  if (proposal) return <ProposedDialog proposal={proposal} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Void the drawing of ${raffleName(drawing.landingPage)}?`}
      confirmLabel={form.isSubmitting ? 'Voiding...' : 'Void'}
      danger
      busy={form.isSubmitting}
      dirty={reason.trim() !== ''}
      problem={form.problem}
      onConfirm={form.submit}
      onClose={onClose}
    >
      <p>
        The server asks the beacon once more. If it has no answer, the drawing is void, and stays
        public for ever with your reason. Drawing this raffle again takes the same list, a day
        later. If the beacon comes before that, this drawing counts after all.
      </p>
      <Field label="Reason" hint="Public. 3 to 500 characters." error={form.errors.reason?.message}>
        {(props) => <textarea {...props} rows={3} {...form.register('reason')} />}
      </Field>
    </ConfirmDialog>
  );
}
