import { useState } from 'react';
import type { PersonView } from '../../api/people';
import { formatDateTime } from '../../../shared/lib/format';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { DuplicateDialog } from './DuplicateDialog';
import { PersonLink } from '../../ui/PersonLink';
import { UnmarkDialog } from './UnmarkDialog';

/** Whether this entry is the same person's as another one. */
export function Duplicates({ person }: { person: PersonView }) {
  const { profile, duplicateOf, duplicates } = person;
  const [isOpen, setOpen] = useState(false);
  const mayMark = useMay('mark_duplicates');
  const close = () => setOpen(false);
  return (
    <Card
      title="Same person"
      note="One person, one entry. A duplicate keeps its ledger and leaves drawings that are not sealed."
      actions={
        mayMark && (
          <Button onClick={() => setOpen(true)}>
            {duplicateOf ? 'Undo' : 'Mark as a duplicate'}
            {duplicateOf && <span className="unseen"> the mark as a duplicate</span>}
          </Button>
        )
      }
    >
      {duplicateOf && (
        <p>
          This entry is a duplicate of <PersonLink {...duplicateOf} />, marked on{' '}
          {formatDateTime(duplicateOf.mergedAt)}: {duplicateOf.reason}
        </p>
      )}
      {!duplicateOf && duplicates.length === 0 && (
        <p className="quiet-text">No other entry of this person is known.</p>
      )}
      {duplicates.length > 0 && (
        <ul className="person-lines">
          {duplicates.map((each) => (
            <li key={each.id}>
              <PersonLink {...each} /> is a duplicate of this entry, marked on{' '}
              {formatDateTime(each.mergedAt)}: {each.reason}
            </li>
          ))}
        </ul>
      )}
      {isOpen && !duplicateOf && <DuplicateDialog id={profile.id} onClose={close} />}
      {isOpen && duplicateOf && <UnmarkDialog id={profile.id} onClose={close} />}
    </Card>
  );
}
