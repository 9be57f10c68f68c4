import type { MouseEvent } from 'react';
import { askBefore } from '../form/unsavedChanges';
import { addressWith, useQueryState } from '../lib/useQueryState';
import { useMe } from '../session/me';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { useLogout } from './useLogout';

const change = { section: 'account' };

/** Who is signed in, and the way to their account. */
export function Account({ isCurrent }: { isCurrent: boolean }) {
  const [, setQuery] = useQueryState();
  const name = useMe()?.name;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // into a tab or window of its own
    event.preventDefault();
    if (!isCurrent) setQuery(change, { clear: true });
  };
  return (
    <a
      className="account-link"
      href={addressWith(change, true)}
      onClick={open}
      {...(isCurrent && { 'aria-current': 'page' as const })}
    >
      <span className="unseen">Your account:</span> <span className="account-name">{name}</span>
    </a>
  );
}

export function Logout() {
  const { leave, pending } = useLogout();
  return (
    <Button variant="ghost" onClick={() => askBefore(leave)} busy={pending}>
      <Icon name="leave" />
      Logout
    </Button>
  );
}
