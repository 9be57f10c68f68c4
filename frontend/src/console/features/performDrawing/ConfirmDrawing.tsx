import type { RaffleStatisticsView } from '../../api/admin';
import { asApiError } from '../../../shared/api/apiError';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { RaffleFacts } from './RaffleFacts';

interface Props {
  raffle: RaffleStatisticsView;
  isDrawing: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** From here on somebody has to be told to wait. */
const MANY = 1_000_000;

export function ConfirmDrawing({ raffle, isDrawing, error, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Confirm Drawing"
      confirmLabel={isDrawing ? 'Drawing...' : 'Draw Winner'}
      busy={isDrawing}
      problem={error === undefined ? undefined : problemOf(error)}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>This action cannot be undone and randomly selects a winner from all entries.</p>
      <RaffleFacts raffle={raffle} />
      {raffle.users >= MANY && (
        <p className="quiet-text">So many participants take a while. Keep this page open.</p>
      )}
    </ConfirmDialog>
  );
}

/** An answer that never came, or came from something in between, does not tell whether the drawing took place. */
function problemOf(error: unknown): string {
  const { status, sentence } = asApiError(error);
  const isKnown = typeof status === 'number' && status < 500;
  return isKnown ? sentence : `${sentence} Trying again here is safe: nobody is drawn twice.`;
}
