import { useModal } from '../../../../lib/useModal';
import { useSendCode } from '../../../../lib/useSendCode';
import { problemOf } from './words';

interface Props {
  erase: () => Promise<void>;
  onClose: () => void;
}

/** Says what happens before it happens: nothing of it can be taken back. */
export function EraseDialog({ erase, onClose }: Props) {
  const { start, busy, problem } = useSendCode(erase, problemOf);
  const close = () => {
    if (!busy) onClose();
  };
  const modal = useModal(close);
  return (
    <dialog {...modal} className="erase" aria-labelledby="erase-title" aria-busy={busy}>
      <h2 id="erase-title" tabIndex={-1}>
        Delete your entry and data?
      </h2>
      <ul>
        <li>Your entries are gone from every drawing whose list is not frozen yet.</li>
        <li>This page stops working, and so does your link for friends.</li>
        <li>We send you no more texts.</li>
        <li>Past drawings keep an anonymous code of your entry so that they can be checked.</li>
      </ul>
      <p>
        <strong>You cannot take this back.</strong> The{' '}
        <a href="/privacy#deleting">privacy policy</a> says what stays.
      </p>
      <div role="alert" className="problem">
        {problem}
      </div>
      <button type="button" className="button" aria-disabled={busy} onClick={close}>
        Keep my entry
      </button>
      <button
        type="button"
        className="button quiet"
        aria-disabled={busy}
        onClick={() => void start()}
      >
        {busy ? 'Deleting...' : 'Delete for good'}
      </button>
    </dialog>
  );
}
