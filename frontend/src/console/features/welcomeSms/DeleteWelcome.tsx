import type { LandingPageView } from '../../api/admin';
import { useDeleteWelcomeSmsMutation } from '../../api/sms';
import { asApiError } from '../../../shared/api/apiError';
import { raffleName } from '../../lib/raffles';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { useToast } from '../../../shared/ui/toast/useToast';

interface Props {
  landingPage: LandingPageView;
  onClose: () => void;
}

export function DeleteWelcome({ landingPage, onClose }: Props) {
  const [remove, { isLoading, error }] = useDeleteWelcomeSmsMutation();
  const toast = useToast();

  async function confirm() {
    const { error: failure } = await remove({ landingPage });
    if (failure) {
      return toast({ title: 'Error', description: 'Failed to delete template', tone: 'bad' });
    }
    onClose();
    toast({ title: 'Welcome template deleted successfully' });
  }

  return (
    <ConfirmDialog
      title={`Delete the welcome message of ${raffleName(landingPage)}?`}
      confirmLabel={isLoading ? 'Deleting...' : 'Delete message'}
      danger
      busy={isLoading}
      problem={error && asApiError(error).sentence}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>From then on, people who enter get the default message. Nobody gets a second text.</p>
    </ConfirmDialog>
  );
}
