import type { PersonView } from '../../api/people';
import { formatDateTime } from '../../../shared/lib/format';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { WhyFlagged } from '../../ui/WhyFlagged';

const tones = { open: 'warn', accepted: 'good', rejected: 'bad' } as const;
const names = { open: 'Open', accepted: 'Accepted', rejected: 'Rejected' };

/** Flags and appeals; nothing for people who never had any. */
export function Flags({ person }: { person: PersonView }) {
  const { flags, appeals } = person;
  if (flags.length === 0 && appeals.length === 0) return null;
  return (
    <div className="grid" data-columns="2">
      <Card title="Flags">
        {flags.length === 0 && <p className="quiet-text">None any more.</p>}
        <ul className="person-lines">
          {flags.map((flag) => (
            <li key={flag.flaggedAt}>
              <p>
                Flagged on {formatDateTime(flag.flaggedAt)}
                {flag.unflaggedAt && `, until ${formatDateTime(flag.unflaggedAt)}`}
              </p>
              <div className="quiet-text">
                <WhyFlagged evidence={flag.evidence} reason={flag.reason} />
              </div>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Appeals">
        {appeals.length === 0 && <p className="quiet-text">None.</p>}
        <ul className="person-lines">
          {appeals.map((appeal) => (
            <li key={appeal.id}>
              <p>
                {formatDateTime(appeal.createdAt)}{' '}
                <Badge tone={tones[appeal.status]}>{names[appeal.status]}</Badge>
              </p>
              <p className="own-words">{appeal.message}</p>
              {appeal.note && <p className="quiet-text">Our answer: {appeal.note}</p>}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
