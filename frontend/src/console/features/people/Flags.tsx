import { useState } from 'react';
import type { PersonView } from '../../api/people';
import { formatDateTime } from '../../../shared/lib/format';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { WhyFlagged } from '../../ui/WhyFlagged';
import { FlagDialog } from '../../ui/flagging/FlagDialog';
import { UnflagDialog } from '../../ui/flagging/UnflagDialog';

const tones = { open: 'warn', accepted: 'good', rejected: 'bad' } as const;
const names = { open: 'Open', accepted: 'Accepted', rejected: 'Rejected' };

/** Flags and appeals, and the way to a flag or out of it. */
export function Flags({ person }: { person: PersonView }) {
  const { flags, appeals } = person;
  return (
    <div className="grid" data-columns="2">
      <Card title="Flags" actions={<Change person={person} />}>
        {flags.length === 0 && <p className="quiet-text">None.</p>}
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

/** Flags the person, or takes the flag away; only for those who may. */
function Change({ person: { profile, flags } }: { person: PersonView }) {
  const [isOpen, setOpen] = useState(false);
  const mayFlag = useMay('manage_flags');
  const { id, phoneNumber, landingPage } = profile;
  if (!mayFlag || phoneNumber === null) return null;
  const flag = flags.find(({ unflaggedAt }) => unflaggedAt === null);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{flag ? 'Unflag...' : 'Flag...'}</Button>
      {isOpen &&
        (flag ? (
          <UnflagDialog user={{ id, phoneNumber, landingPage, ...flag }} onClose={close} />
        ) : (
          <FlagDialog userId={id} onClose={close} />
        ))}
    </>
  );
}
