import { useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useAdminLoginMutation } from '../../api/admin';
import { asApiError, type ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { sessionSlice } from '../../session/sessionSlice';
import { useToast } from '../../../shared/ui/toast/useToast';
import type { SignInValues } from './schema';

const loadSchema = () =>
  import(/* webpackChunkName: "validation" */ './schema').then((file) => file.signInSchema);

/** The server's own words where it refused the two; else what kept it from saying anything. */
function sentenceOf({ status, serverSentence, sentence }: ApiError): string {
  return status === 401 ? (serverSentence ?? 'Invalid credentials') : sentence;
}

/** Signing in: one request at a time, and what was typed stays until it worked. */
export function useSignIn() {
  const form = useAppForm<SignInValues>({
    schema: loadSchema,
    defaultValues: { username: '', password: '' },
  });
  const { register, handleSubmit, formState, setFocus, showServerErrors } = form;
  const [login] = useAdminLoginMutation();
  const dispatch = useDispatch();
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const busy = useRef(false);

  async function send(loginBody: SignInValues) {
    const { sessionToken } = await login({ loginBody }).unwrap();
    toast({ title: 'Login successful', description: 'Welcome to the admin dashboard' });
    dispatch(sessionSlice.actions.opened(sessionToken));
  }

  function explain(thrown: unknown) {
    const error = asApiError(thrown);
    const description = sentenceOf(error);
    toast({ title: 'Login failed', description, tone: 'bad' });
    if (showServerErrors(error)) return;
    setProblem(description);
    setFocus('password', { shouldSelect: true });
  }

  async function signIn() {
    if (busy.current) return;
    busy.current = true;
    setPending(true);
    setProblem(undefined);
    try {
      await handleSubmit(send)();
    } catch (thrown) {
      explain(thrown);
    } finally {
      busy.current = false;
      setPending(false);
    }
  }

  return { register, errors: formState.errors, pending, problem, signIn: () => void signIn() };
}
