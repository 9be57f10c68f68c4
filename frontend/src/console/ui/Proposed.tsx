import type { Proposed } from '../lib/proposal';
import { formatDateTime } from '../../shared/lib/format';
import { MessageDialog } from './MessageDialog';
import { QueryLink } from './QueryLink';

interface Props {
  proposal: Proposed;
}

/** What somebody wanted to do, and somebody else has to approve. */
export function ProposedText({ proposal: { expiresAt } }: Props) {
  return (
    <p>
      Proposed. Somebody else must approve it by {formatDateTime(expiresAt)}.{' '}
      <QueryLink change={{ section: 'settings', tab: 'approvals' }} clear>
        Open Approvals
      </QueryLink>
    </p>
  );
}

/** In the place of the dialog in which it was asked for. */
export function ProposedDialog({ proposal, onClose }: Props & { onClose: () => void }) {
  return (
    <MessageDialog title="Proposed, not done yet" onClose={onClose}>
      <ProposedText proposal={proposal} />
    </MessageDialog>
  );
}
