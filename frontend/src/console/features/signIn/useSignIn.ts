import { useDispatch } from 'react-redux';
import { useAdminLoginMutation } from '../../api/admin';
import type { ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { sessionSlice } from '../../session/sessionSlice';
import { useToast } from '../../../shared/ui/toast/useToast';
import type { SignInValues } from './rules';

/** The server's own words where it refused the two; else what kept it from saying anything. */
function sentenceOf({ status, serverSentence, sentence }: ApiError): string {
  return status === 401 ? (serverSentence ?? 'Invalid credentials') : sentence;
}

export function useSignIn() {
  const [login] = useAdminLoginMutation();
  const dispatch = useDispatch();
  const toast = useToast();
  const form = useAppForm<SignInValues>({
    defaultValues: { username: '', password: '' },
    send,
    explain,
  });

  async function send(loginBody: SignInValues) {
    const { sessionToken } = await login({ loginBody }).unwrap();
    toast({ title: 'Login successful', description: 'Welcome to the admin dashboard' });
    dispatch(sessionSlice.actions.opened(sessionToken));
  }

  function explain(error: ApiError): string {
    const description = sentenceOf(error);
    toast({ title: 'Login failed', description, tone: 'bad' });
    if (!error.fields) form.setFocus('password', { shouldSelect: true });
    return description;
  }

  return form;
}
