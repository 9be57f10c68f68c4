import { formatDateTime } from '../../../shared/lib/format';
import { Badge } from '../../ui/Badge';

interface Props {
  raffle: {
    status: keyof typeof badges;
    nextStatus?: string | null;
    nextAt?: string | null;
  };
}

const badges = {
  draft: ['neutral', 'Draft'],
  open: ['good', 'Open'],
  closed: ['warn', 'Closed'],
} as const;

/** Whether it can be entered, and what is to come. */
export function Status({ raffle: { status, nextStatus, nextAt } }: Props) {
  const [tone, word] = badges[status];
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {nextAt && (
        <span className="quiet-text">
          {' '}
          {nextStatus === 'open' ? 'Opens' : 'Closes'} {formatDateTime(nextAt)}
        </span>
      )}
    </>
  );
}
