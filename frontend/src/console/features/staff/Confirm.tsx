import { useToast } from '../../../shared/ui/toast/useToast';
import {
  useChangeMemberMutation,
  useReinviteMemberMutation,
  type StaffMemberView,
} from '../../api/staff';
import { isProposed } from '../../lib/proposal';
import { useAct } from '../../lib/useAct';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import type { Outcome } from './outcome';
import { explained } from './words';

type Act = 'link' | 'disable' | 'enable';

interface Props {
  act: Act;
  member: StaffMemberView;
  isOwn: boolean;
  onDone: (outcome: Outcome) => void;
  onClose: () => void;
}

interface Words {
  title: string;
  label: string;
  acting: string;
  what: string;
  done?: string;
}

function wordsOf(act: Act, { name, state }: StaffMemberView, isOwn: boolean): Words {
  switch (act) {
    case 'disable':
      return {
        title: `Disable ${name}?`,
        label: 'Disable',
        acting: 'Disabling...',
        what: isOwn
          ? 'This is your own account. You are logged out at once, and cannot log in before somebody enables you.'
          : 'They are logged out at once and cannot log in. What they did stays in the activity. You can enable them again.',
        done: `${name} is disabled`,
      };
    case 'enable':
      return {
        title: `Enable ${name}?`,
        label: 'Enable',
        acting: 'Enabling...',
        what: 'They can log in again, with the password and the role that they had.',
        done: `${name} is enabled`,
      };
    case 'link':
      return {
        title: `A new link for ${name}?`,
        label: 'Make a new link',
        acting: 'Making a link...',
        what:
          state === 'invited'
            ? 'The link that they have stops working. The new one works once, within 72 hours.'
            : 'For a forgotten password: they are logged out at once, and choose a new one with the link. It works once, within 72 hours.',
      };
  }
}

/** Says what will happen to an account, and does it. */
export function Confirm({ act, member, isOwn, onDone, onClose }: Props) {
  const { title, label, acting, what, done } = wordsOf(act, member, isOwn);
  const take = useActs(member.id);
  const toast = useToast();
  const { pending, problem, run } = useAct(explained);
  const confirm = async () => {
    const answer = await take(act);
    onDone(answer);
    if (done && !isProposed(answer)) toast({ title: done });
  };
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={pending ? acting : label}
      danger={act === 'disable'}
      busy={pending}
      problem={problem}
      onConfirm={() => run(confirm)}
      onClose={onClose}
    >
      <p>{what}</p>
    </ConfirmDialog>
  );
}

function useActs(id: number) {
  const [change] = useChangeMemberMutation();
  const [reinvite] = useReinviteMemberMutation();
  return (act: Act): Promise<Outcome> =>
    act === 'link'
      ? reinvite({ id }).unwrap()
      : change({ id, memberBody: { disabled: act === 'disable' } }).unwrap();
}
