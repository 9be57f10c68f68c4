import { formatDateTime } from '../../shared/lib/format';
import { CopyField } from './CopyButton';
import { MessageDialog } from './MessageDialog';

interface Props {
  invited: { invitationUrl: string; expiresAt: string };
  onClose: () => void;
}

/** A link to a new account, to be handed on. The server does not show it again. */
export function InvitationLink({ invited: { invitationUrl, expiresAt }, onClose }: Props) {
  return (
    <MessageDialog title="Send them this link" closeLabel="Done" onClose={onClose}>
      <p>
        It works once, until {formatDateTime(expiresAt)}, and is not shown again. Whoever has it can
        set the password: send it to nobody else.
      </p>
      <CopyField label="The invitation link" what="the link" text={invitationUrl} />
    </MessageDialog>
  );
}
