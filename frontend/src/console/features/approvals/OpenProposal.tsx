import { formatDateTime } from '../../../shared/lib/format';
import type { ApprovalView } from '../../api/staff';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Arguments } from './Arguments';
import type { Deciding } from './DecideProposal';
import { kindNames, sentences } from './words';

interface Props {
  approval: ApprovalView;
  onDecide: (deciding: Deciding) => void;
}

/** One that waits: exactly what will happen, and what the reader can do about it. */
export function OpenProposal({ approval, onDecide }: Props) {
  const { id, kind, summary, proposedBy, proposedAt, expiresAt, own, mayApprove, mayReject } =
    approval;
  const why = useWhyNot(approval);
  const which = <span className="unseen">: {summary}</span>;
  return (
    <li className="proposal">
      <h3>{kindNames[kind]}</h3>
      <p>{summary}</p>
      <Arguments list={approval.arguments} />
      <p className="quiet-text">
        Proposal {id}. Proposed by {own ? 'you' : proposedBy} on {formatDateTime(proposedAt)}. Open
        until {formatDateTime(expiresAt)}.
      </p>
      {why && <p className="quiet-text">{why}</p>}
      <div className="actions">
        {mayApprove && (
          <Button variant="primary" onClick={() => onDecide({ act: 'approve', approval })}>
            Approve{which}
          </Button>
        )}
        {mayReject && (
          <Button onClick={() => onDecide({ act: own ? 'withdraw' : 'reject', approval })}>
            {own ? 'Withdraw' : 'Reject'}
            {which}
          </Button>
        )}
      </div>
    </li>
  );
}

function useWhyNot({ own, mayApprove, mayReject }: ApprovalView): string | undefined {
  const isApprover = useMay('approve');
  if (mayApprove) return undefined;
  if (own) return 'Somebody else must approve it.';
  if (!isApprover) return 'Only owners can decide it.';
  if (!mayReject) return sentences.concerns_you;
  return 'You cannot approve yet: your account must be at least 7 days old.';
}
