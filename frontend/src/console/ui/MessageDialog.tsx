import { useId, type ReactNode } from 'react';
import { Button } from './Button';
import { useModal } from './useModal';

interface Props {
  title: string;
  closeLabel?: string;
  children: ReactNode;
  onClose: () => void;
}

/** Says what came of an act, over the page. */
export function MessageDialog({ title, closeLabel = 'Close', children, onClose }: Props) {
  const dialog = useModal();
  const id = useId();
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={onClose}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div id={`${id}-text`} className="dialog-text">
        {children}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>{closeLabel}</Button>
      </div>
    </dialog>
  );
}
