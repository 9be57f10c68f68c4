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
          <Step
            name="Previous"
            isLast={offset === 0}
            onPress={() => onChange(Math.max(0, offset - limit))}
          />
          <Step name="Next" isLast={last >= total} onPress={() => onChange(offset + limit)} />
        </div>
      )}
    </nav>
  );
}

interface StepProps {
  name: string;
  /** There is no page in this direction. */
  isLast: boolean;
  onPress: () => void;
}

/** Not `disabled`: the button that was just pressed would lose the focus. */
function Step({ name, isLast, onPress }: StepProps) {
  return (
    <Button
      aria-label={`${name} page`}
      aria-disabled={isLast}
      onClick={isLast ? undefined : onPress}
    >
      {name}
    </Button>
  );
}
