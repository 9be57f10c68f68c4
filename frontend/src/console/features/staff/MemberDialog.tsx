import { useState } from 'react';
import type { StaffMemberView } from '../../api/staff';
import { isProposed } from '../../lib/proposal';
import { InvitationLink } from '../../ui/InvitationLink';
import { ProposedDialog } from '../../ui/Proposed';
import { Confirm } from './Confirm';
import { InviteForm } from './InviteForm';
import type { Outcome } from './outcome';
import { RoleForm } from './RoleForm';

/** What an owner is about to do. */
export type Asked =
  { act: 'invite' } | { act: 'role' | 'link' | 'disable' | 'enable'; member: StaffMemberView };

interface Props {
  asked: Asked;
  /** Of whoever asks. */
  ownId: number | undefined;
  onClose: () => void;
}

/** Asks for what it takes, then shows what came of it. */
export function MemberDialog({ asked, ownId, onClose }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  if (outcome && isProposed(outcome)) {
    return <ProposedDialog proposal={outcome} onClose={onClose} />;
  }
  if (outcome && 'invitationUrl' in outcome) {
    return <InvitationLink invited={outcome} onClose={onClose} />;
  }
  const end = (answer: Outcome) => {
    if (isProposed(answer) || 'invitationUrl' in answer) setOutcome(answer);
    else onClose();
  };
  if (asked.act === 'invite') return <InviteForm onDone={end} onClose={onClose} />;
  const { act, member } = asked;
  const isOwn = member.id === ownId;
  if (act === 'role') {
    return <RoleForm member={member} isOwn={isOwn} onDone={end} onClose={onClose} />;
  }
  return <Confirm act={act} member={member} isOwn={isOwn} onDone={end} onClose={onClose} />;
}
