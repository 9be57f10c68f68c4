import { useState } from 'react';
import {
  useShowApprovalSecretMutation,
  type ApprovalSecretView,
  type ApprovalView,
} from '../../api/staff';
import { useAct } from '../../lib/useAct';
import { Button } from '../../ui/Button';
import { CallCode } from '../../ui/CallCode';
import { InvitationLink } from '../../ui/InvitationLink';
import { explained } from './words';

/** The link or the code of one's own proposal, which is shown once. */
export function ShowSecret({
  approval: { id, kind, summary, hasSecret },
}: {
  approval: ApprovalView;
}) {
  const [show] = useShowApprovalSecretMutation();
  const [secret, setSecret] = useState<ApprovalSecretView>();
  const { pending, problem, run } = useAct(explained);
  const close = () => setSecret(undefined);
  const ask = () => run(async () => setSecret(await show({ id }).unwrap()));
  return (
    <>
      {hasSecret && (
        <div className="actions">
          <Button size="small" busy={pending} onClick={() => void ask()}>
            {kind === 'confirm_number' ? 'Show the code' : 'Show the link'}
            <span className="unseen">: {summary}</span>
          </Button>
        </div>
      )}
      <span role="alert" className="problem">
        {problem}
      </span>
      {secret?.invitation && <InvitationLink invited={secret.invitation} onClose={close} />}
      {secret?.callCode && <CallCode shown={secret.callCode} onClose={close} />}
    </>
  );
}
