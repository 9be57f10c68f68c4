import { useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useAdminLoginMutation } from '../../api/admin';
import { asApiError, type ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { digitsOf } from '../../form/codeRules';
import { sessionSlice } from '../../session/sessionSlice';
import { useToast } from '../../../shared/ui/toast/useToast';
import type { SignInValues } from './rules';

/** What is asked for: the name and the password, then what proves the phone, or what is kept for its loss. */
export type Step = 'password' | 'code' | 'recovery';

const SELECTED = { shouldSelect: true };

/** The server's own words where it refused what was typed; else what kept it from saying anything. */
function sentenceOf({ status, code, serverSentence, sentence }: ApiError): string {
  if (code === 'totp_invalid') return serverSentence ?? 'This code is not valid.';
  return status === 401 ? (serverSentence ?? 'Invalid credentials') : sentence;
}

/** With the name of whoever is known to sign in, who has only the password to type. */
export function useSignIn(name: string) {
  const [step, setStep] = useState<Step>('password');
  const [login] = useAdminLoginMutation();
  const dispatch = useDispatch();
  const toast = useToast();
  const form = useAppForm<SignInValues>({
    defaultValues: { username: name, password: '', code: '' },
    send,
    explain,
  });

  async function send({ username, password, code }: SignInValues) {
    const loginBody = { username, password, ...codeOf(step, code) };
    const answer = await login({ loginBody }).unwrap().catch(nothingIfCodeIsMissing);
    if (!answer) return go('code');
    toast({ title: 'Login successful', description: 'Welcome to the admin dashboard' });
    dispatch(sessionSlice.actions.opened(answer.sessionToken));
  }

  function explain(error: ApiError): string {
    const description = sentenceOf(error);
    toast({ title: 'Login failed', description, tone: 'bad' });
    // Somebody changed the password meanwhile, say: what is wrong can be seen.
    if (error.code === 'invalid_credentials') setStep('password');
    if (!error.fields) form.setFocus(step === 'password' ? 'password' : 'code', SELECTED);
    return description;
  }

  // Back from the code, whose field had the focus: the password could not have it while it was hidden.
  const { setFocus } = form;
  useEffect(() => {
    if (name) setFocus('password');
  }, [name, setFocus]);
  const before = useRef(step);
  useEffect(() => {
    if (step === 'password' && before.current !== step) setFocus('password', SELECTED);
    before.current = step;
  }, [step, setFocus]);

  /** What was typed stays, but for a code: the other kind is another one. */
  function go(next: Step) {
    form.setValue('code', '');
    form.clearErrors();
    setStep(next);
  }

  return { ...form, step, go };
}

/** Undefined when the name and the password are right and the account has a second factor. */
function nothingIfCodeIsMissing(thrown: unknown): undefined {
  if (asApiError(thrown).code !== 'totp_required') throw thrown;
}

function codeOf(step: Step, code: string): { code?: string } {
  if (step === 'password') return {};
  return { code: step === 'code' ? digitsOf(code) : code.trim() };
}
