import { useFlagUserMutation } from '../../api/admin';
import { Button } from '../../ui/Button';
import { useToast } from '../../../shared/ui/toast/useToast';

/** Flags one user of an address. A failure is said beside the button, not in a toast. */
export function FlagButton({ ipAddress, userId }: { ipAddress: string; userId: number }) {
  const [flag, { isLoading, isError }] = useFlagUserMutation();
  const toast = useToast();

  async function flagUser() {
    const reason = `Multiple accounts from IP ${ipAddress}`;
    const flagBody = { userId, reason, publicReason: 'several_accounts' } as const;
    const { error } = await flag({ flagBody });
    if (!error) toast({ title: 'User flagged' });
  }

  return (
    <span className="act">
      <span className="stale" role="status">
        {isError && 'Not flagged. Try again.'}
      </span>
      <Button size="small" busy={isLoading} onClick={() => void flagUser()}>
        Flag (User) <span className="unseen">{`${userId} of ${ipAddress}`}</span>
      </Button>
    </span>
  );
}
