import { Invitation } from '../features/invitation/Invitation';
import { forgetInvitation, isFirstOwner, useInvitation } from './useInvitation';

/** For whoever opens the link to a new account. */
export function InvitationScreen() {
  const token = useInvitation();
  return token === undefined ? null : (
    <Invitation
      key={token}
      token={token}
      isFirstOwner={isFirstOwner()}
      onLeave={forgetInvitation}
    />
  );
}
