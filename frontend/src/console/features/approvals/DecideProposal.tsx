import { useToast } from '../../../shared/ui/toast/useToast';
import {
  useApproveProposalMutation,
  useRejectProposalMutation,
  type ApprovalView,
} from '../../api/staff';
import { useAct } from '../../lib/useAct';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Arguments } from './Arguments';
import { explained } from './words';

export interface Deciding {
  act: 'approve' | 'reject' | 'withdraw';
  approval: ApprovalView;
}

/** What approving an invitation answers: the link goes to whoever approved it. */
export interface Invited {
  invitationUrl: string;
  expiresAt: string;
}

interface Props extends Deciding {
  onClose: (invited?: Invited) => void;
}

const words = {
  approve: {
    title: 'Approve this?',
    label: 'Approve',
    acting: 'Approving...',
    what: 'It is carried out at once.',
    done: 'Approved and carried out',
  },
  reject: {
    title: 'Reject this?',
    label: 'Reject',
    acting: 'Rejecting...',
    what: 'Nothing is done. It can be proposed again.',
    done: 'Rejected',
  },
  withdraw: {
    title: 'Withdraw your proposal?',
    label: 'Withdraw',
    acting: 'Withdrawing...',
    what: 'Nothing is done. You can propose it again.',
    done: 'Withdrawn',
  },
};

/** Says once more what will happen, and decides. */
export function DecideProposal({ act, approval, onClose }: Props) {
  const { title, label, acting, what, done } = words[act];
  const [approve] = useApproveProposalMutation();
  const [reject] = useRejectProposalMutation();
  const toast = useToast();
  const { pending, problem, run } = useAct(explained);
  const { id, summary } = approval;

  async function decide() {
    if (act === 'approve') {
      const { result } = await approve({ id }).unwrap();
      onClose(linkIn(result));
      return toast(isStarted(result) ? started : { title: done });
    }
    await reject({ id }).unwrap();
    onClose();
    toast({ title: done });
  }

  return (
    <ConfirmDialog
      title={title}
      confirmLabel={pending ? acting : label}
      danger={act === 'reject'}
      busy={pending}
      problem={problem}
      onConfirm={() => run(decide)}
      onClose={() => onClose()}
    >
      <p>
        <strong>{summary}</strong>
      </p>
      <Arguments list={approval.arguments} />
      <p>{what}</p>
    </ConfirmDialog>
  );
}

const started = {
  title: 'Approved',
  description: 'The server is deleting the data now.',
};

/** Data is deleted in the background. */
const isStarted = (result: object | null) => result !== null && 'jobId' in result;

const linkIn = (result: object | null): Invited | undefined =>
  result && 'invitationUrl' in result ? (result as Invited) : undefined;
