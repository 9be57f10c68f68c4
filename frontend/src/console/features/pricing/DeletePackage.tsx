import { useDeletePackageMutation, type PackageView } from '../../api/admin';
import { asApiError } from '../../../shared/api/apiError';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { useToast } from '../../../shared/ui/toast/useToast';

interface Props {
  deleted: PackageView;
  onClose: () => void;
}

export function DeletePackage({ deleted: { id, name }, onClose }: Props) {
  const [remove, { isLoading, error }] = useDeletePackageMutation();
  const toast = useToast();

  async function confirm() {
    const { error: failure } = await remove({ id });
    if (failure) {
      const { serverSentence = 'Unknown error' } = asApiError(failure);
      return toast({ title: 'Failed to delete package', description: serverSentence, tone: 'bad' });
    }
    onClose();
    toast({ title: 'Entry package deleted successfully' });
  }

  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirmLabel={isLoading ? 'Deleting...' : 'Delete package'}
      danger
      busy={isLoading}
      problem={error && asApiError(error).sentence}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>Users can no longer buy it. Past purchases and their entries are kept.</p>
    </ConfirmDialog>
  );
}
