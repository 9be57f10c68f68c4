import { ConfirmDialog } from '../ui/ConfirmDialog';
import { setWaiting, useWaiting } from './unsavedChanges';

/** Asks before something closes a form that holds changes. */
export function DiscardDialog() {
  const discard = useWaiting();
  if (!discard) return null;
  return (
    <ConfirmDialog
      title="Discard your changes?"
      confirmLabel="Discard"
      closeLabel="Keep editing"
      danger
      onConfirm={() => {
        setWaiting(undefined);
        discard();
      }}
      onClose={() => setWaiting(undefined)}
    >
      <p>What you typed is not saved yet.</p>
    </ConfirmDialog>
  );
}
