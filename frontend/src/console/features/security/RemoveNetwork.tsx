import { useRemoveSharedNetworkMutation, type SharedNetworkView } from '../../api/admin';
import { asApiError } from '../../../shared/api/apiError';
import { useToast } from '../../../shared/ui/toast/useToast';
import { ConfirmDialog } from '../../ui/ConfirmDialog';

interface Props {
  removed: SharedNetworkView;
  onClose: () => void;
}

/** Takes a network off the list. */
export function RemoveNetwork({ removed: { id, network, label }, onClose }: Props) {
  const [remove, { isLoading, error }] = useRemoveSharedNetworkMutation();
  const toast = useToast();

  async function confirm() {
    const { error: failure } = await remove({ id });
    if (failure) return;
    onClose();
    toast({ title: 'Network removed' });
  }

  return (
    <ConfirmDialog
      title={`Remove ${network}?`}
      confirmLabel={isLoading ? 'Removing...' : 'Remove'}
      danger
      busy={isLoading}
      problem={error && asApiError(error).sentence}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        {label} is no longer a shared network: accounts on it may be flagged because several people
        entered from it.
      </p>
    </ConfirmDialog>
  );
}
