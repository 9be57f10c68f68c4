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

interface Props extends Deciding {
  onClose: () => void;
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
  const { title, label, acting, what, done } = wordsOf(act, approval);
  const [approve] = useApproveProposalMutation();
  const [reject] = useRejectProposalMutation();
  const toast = useToast();
  const { pending, problem, run } = useAct(explained);
  const { id, summary } = approval;

  async function decide() {
    if (act === 'approve') {
      const { result } = await approve({ id }).unwrap();
      onClose();
      return toast(isStarted(result) ? started : { title: done, ...shownTo(approval) });
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
      onClose={onClose}
    >
      <p>
        <strong>{summary}</strong>
      </p>
      <Arguments list={approval.arguments} />
      <p>{what}</p>
    </ConfirmDialog>
  );
}

/** Approving an import does not carry it out: the server does not have the file. */
const wordsOf = (act: Deciding['act'], { kind, proposedBy }: ApprovalView) =>
  act === 'approve' && kind === 'import_people'
    ? {
        ...words.approve,
        what: `${proposedBy} can then import the file with this SHA-256, once and within 24 hours.`,
        done: 'Approved',
      }
    : words[act];

const started = {
  title: 'Approved',
  description: 'The server is deleting the data now.',
};

/** Data is deleted in the background. */
const isStarted = (result: object | null) => result !== null && 'jobId' in result;

/** What is left to do is for whoever asked for it. */
function shownTo({ kind, proposedBy }: ApprovalView) {
  const what = kind in left && left[kind as keyof typeof left];
  return what ? { description: `${proposedBy} finds ${what} under All proposals.` } : {};
}

const left = {
  invite_member: 'the link',
  reinvite_member: 'the link',
  confirm_number: 'the code',
  import_people: 'the next step',
};
