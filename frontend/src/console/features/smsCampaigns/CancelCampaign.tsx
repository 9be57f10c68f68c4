import { useCancelCampaignMutation, type CampaignView } from '../../api/sms';
import { asApiError } from '../../../shared/api/apiError';
import { formatDateTime } from '../../../shared/lib/format';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { useToast } from '../../../shared/ui/toast/useToast';

interface Props {
  campaign: CampaignView;
  onClose: () => void;
}

export function CancelCampaign({ campaign, onClose }: Props) {
  const { id, campaignName, scheduledDate } = campaign;
  const [cancel, { isLoading, error }] = useCancelCampaignMutation();
  const toast = useToast();

  async function confirm() {
    const { error: failure } = await cancel({ id });
    if (failure) {
      const description = asApiError(failure).sentence;
      return toast({ title: 'Failed to cancel campaign', description, tone: 'bad' });
    }
    onClose();
    toast({ title: 'Campaign cancelled successfully' });
  }

  return (
    <ConfirmDialog
      title={`Cancel ${campaignName}?`}
      confirmLabel={isLoading ? 'Cancelling...' : 'Cancel campaign'}
      closeLabel="Keep it"
      danger
      busy={isLoading}
      problem={error && asApiError(error).sentence}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        It was scheduled for {formatDateTime(scheduledDate)}. Nobody gets it then, and it can't be
        resumed.
      </p>
    </ConfirmDialog>
  );
}
