import { useAction } from '../../lib/useAction';
import { useModal } from '../../lib/useModal';
import type { Act } from './useClaim';

interface Props {
  act: Act;
  onClose: () => void;
}

/** Asks before the prize is turned down, which cannot be taken back. */
export function DeclineDialog({ act, onClose }: Props) {
  const { start, busy, problem } = useAction(() => act('decline'));
  const close = () => {
    if (!busy) onClose();
  };
  const modal = useModal(close);
  return (
    <dialog {...modal} className="decline" aria-labelledby="decline-title">
      <h2 id="decline-title">Decline the prize?</h2>
      <p>It goes to the next entry that was drawn. You cannot take this back.</p>
      <div role="alert" className="problem">
        {problem}
      </div>
      <button type="button" className="button" onClick={close}>
        Keep my claim
      </button>
      <button
        type="button"
        className="button quiet"
        aria-disabled={busy}
        onClick={() => void start()}
      >
        {busy ? 'Declining...' : 'Decline the prize'}
      </button>
    </dialog>
  );
}
