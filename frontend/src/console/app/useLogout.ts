import { useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useAdminLogoutMutation } from '../api/admin';
import { asApiError } from '../../shared/api/apiError';
import { sessionSlice } from '../session/sessionSlice';
import { useToast } from '../../shared/ui/toast/useToast';

/** Ends the session on the server, and in this browser whatever the server says. */
export function useLogout() {
  const [logout] = useAdminLogoutMutation();
  const dispatch = useDispatch();
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const busy = useRef(false);

  async function leave() {
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    const { error } = await logout();
    const ended = !error || asApiError(error).status === 401;
    dispatch(sessionSlice.actions.closed(null));
    toast(ended ? loggedOut : loggedOutHereOnly);
  }

  return { leave: () => void leave(), pending };
}

const loggedOut = { title: 'Logged out successfully' };

const loggedOutHereOnly = {
  title: 'Logged out on this device',
  description:
    'Tombola could not be reached to end the session. It ends by itself within 12 hours.',
  tone: 'bad' as const,
};
