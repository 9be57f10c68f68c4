import { formatCount } from '../../shared/lib/format';
import { Button } from './Button';

interface Props {
  /** What is listed: 'flagged users'. */
  label: string;
  total: number;
  limit: number;
  offset: number;
  onChange: (offset: number) => void;
}

/** Says which rows are shown of how many; has buttons only when there are more. */
export function Pagination({ label, total, limit, offset, onChange }: Props) {
  const last = Math.min(offset + limit, total);
  return (
    <nav className="pages" aria-label={`Pages of ${label}`}>
      <p role="status">
        {total === 0
          ? `No ${label}`
          : `${formatCount(Math.min(offset + 1, total))}–${formatCount(last)} of ${formatCount(total)} ${label}`}
      </p>
      {total > limit && (
        <div className="actions">
          <Button
            disabled={offset === 0}
            onClick={() => onChange(Math.max(0, offset - limit))}
            aria-label="Previous page"
          >
            Previous
          </Button>
          <Button
            disabled={last >= total}
            onClick={() => onChange(offset + limit)}
            aria-label="Next page"
          >
            Next
          </Button>
        </div>
      )}
    </nav>
  );
}
