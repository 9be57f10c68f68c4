import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useAdminLoginMutation, useAdminLogoutMutation } from '../../api/admin';
import { useAcceptInvitationMutation } from '../../api/staff';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useUnsavedChanges } from '../../form/unsavedChanges';
import { useToast } from '../../../shared/ui/toast/useToast';
import { sessionSlice, type SessionState } from '../../session/sessionSlice';

interface Values {
  password: string;
  again: string;
}

/** Sets the password, and signs in with it. Where that fails, the login form waits with the name in it. */
export function useAccept(token: string, name: string, onLeave: () => void) {
  const [accept] = useAcceptInvitationMutation();
  const [login] = useAdminLoginMutation();
  const [logout] = useAdminLogoutMutation();
  const toast = useToast();
  const isSignedIn = useSelector((state: SessionState) => state.session.token !== null);
  const dispatch = useDispatch();
  const [isGone, setGone] = useState(false);
  const form = useAppForm<Values>({
    defaultValues: { password: '', again: '' },
    send,
    explain: ({ status, sentence }) => {
      if (status === 410 || status === 404) setGone(true);
      return sentence;
    },
  });
  useUnsavedChanges(form.formState.isDirty && !isGone);

  async function send({ password }: Values) {
    await accept({ token, invitationBody: { password } }).unwrap();
    if (isSignedIn) void logout(); // somebody else's session, in this browser
    const { data } = await login({ loginBody: { username: name, password } });
    if (data) {
      dispatch(sessionSlice.actions.opened(data.sessionToken));
      toast({ title: 'Your password is set', description: 'You are logged in.' });
    } else {
      dispatch(sessionSlice.actions.renewed({ notice: 'invited', name }));
    }
    onLeave();
  }

  return { ...form, isGone };
}
