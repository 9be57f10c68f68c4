import { useUnmarkDuplicateMutation } from '../../api/people';
import { useToast } from '../../../shared/ui/toast/useToast';
import { useAct } from '../../lib/useAct';
import { ConfirmDialog } from '../../ui/ConfirmDialog';

interface Props {
  id: number;
  onClose: () => void;
}

/** Undoes a mark as a duplicate. */
export function UnmarkDialog({ id, onClose }: Props) {
  const [unmark] = useUnmarkDuplicateMutation();
  const { pending, problem, run } = useAct(({ sentence }) => sentence);
  const toast = useToast();
  const undo = async () => {
    await unmark({ id }).unwrap();
    onClose();
    toast({ title: 'Mark removed' });
  };
  return (
    <ConfirmDialog
      title="Undo the mark as a duplicate?"
      confirmLabel={pending ? 'Undoing...' : 'Undo'}
      busy={pending}
      problem={problem}
      onConfirm={() => run(undo)}
      onClose={onClose}
    >
      <p>The flag that came with the mark ends too. A flag from before stays.</p>
    </ConfirmDialog>
  );
}
