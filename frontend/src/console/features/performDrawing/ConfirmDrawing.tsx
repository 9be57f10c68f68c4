import type { RaffleStatisticsView } from '../../api/admin';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { RaffleFacts } from './RaffleFacts';

interface Props {
  raffle: RaffleStatisticsView;
  isDrawing: boolean;
  problem: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** From this many entries on, the dialog says that drawing takes a while. */
const MANY = 1_000_000;

export function ConfirmDrawing({ raffle, isDrawing, problem, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Confirm Drawing"
      confirmLabel={isDrawing ? 'Drawing...' : 'Draw Winner'}
      busy={isDrawing}
      problem={problem}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>This action cannot be undone and randomly selects a winner from all entries.</p>
      <RaffleFacts raffle={raffle} />
      {raffle.users >= MANY && (
        <p className="quiet-text">A drawing this large takes a while. Keep this page open.</p>
      )}
    </ConfirmDialog>
  );
}
