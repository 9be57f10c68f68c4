import { useId } from 'react';
import { formatCount } from '../../../shared/lib/format';
import type { JobView } from '../../api/admin';
import { Button } from '../../ui/Button';
import { ProgressBar } from '../../ui/ProgressBar';
import { useModal } from '../../ui/useModal';

interface Props {
  title: string;
  /** Not known yet right after it was started. */
  job: JobView | undefined;
  onClose: () => void;
}

/** How far a clearing has come. It goes on when this is closed. */
export function ProgressDialog({ title, job, onClose }: Props) {
  const dialog = useModal();
  const [titleId, textId] = [useId(), useId()];
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      onClose={onClose}
    >
      <h2 id={titleId}>{title}</h2>
      <ClearingProgress label={title} job={job} />
      <p id={textId} className="dialog-text">
        The server goes on when you close this. You'll be told here when it is done.
      </p>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </dialog>
  );
}

export function ClearingProgress({ label, job }: { label: string; job: JobView | undefined }) {
  return (
    <div className="clearing-progress">
      <ProgressBar
        label={`${label}: progress`}
        value={job?.deletedRows ?? 0}
        max={job?.totalRows ?? undefined}
      />
      <p className="quiet-text">{soFar(job)}</p>
    </div>
  );
}

function soFar(job: JobView | undefined): string {
  if (job?.totalRows == null) return 'Counting...';
  return `${formatCount(job.deletedRows)} of ${formatCount(job.totalRows)} deleted`;
}
