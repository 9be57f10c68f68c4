import { useRef, useState, type ChangeEvent } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { verify } from './api';
import { codeRules, digitsOf, isWhole } from './codeRules';
import { forgetPending } from './pendingCode';
import { endOf, sentenceOf } from './problems';
import type { CodeStepProps } from './stubProps';
import { trackSignUp } from './trackSignUp';
import { useWebOtp } from './useWebOtp';

interface CodeValues {
  code: string;
}

/** Confirming a code: it is sent by itself once it has all digits, and never twice at a time. */
export function useCode({ pending, onEntered, onLeave }: CodeStepProps) {
  const [isDone, setDone] = useState(false);
  const lastTried = useRef('');
  const form = useAppForm<CodeValues>({ defaultValues: { code: '' }, send, explain });
  const { register, getValues, setError, clearErrors, setFocus, setValue, submit } = form;

  async function send({ code }: CodeValues) {
    const answer = await verify({ verificationId: pending.id, code: digitsOf(code) });
    if ('error' in answer) throw answer.error as unknown; // to explain, and to its input
    setDone(true);
    forgetPending();
    trackSignUp(answer.user, pending);
    await onEntered(answer.user, pending.referralCode !== undefined);
  }

  function explain(error: ApiError): string | undefined {
    const end = endOf(error);
    if (end) onLeave(end);
    if (error.fields?.code) setFocus('code', { shouldSelect: true });
    return end ? undefined : sentenceOf(error);
  }

  /** Once for each code: a wrong one is not sent again by a change that leaves it as it was. */
  function submitWhole(typed: string) {
    if (!isWhole(typed) || digitsOf(typed) === lastTried.current) return;
    lastTried.current = digitsOf(typed);
    submit();
  }

  useWebOtp(pending.resendAt, (code) => {
    setValue('code', code);
    submitWhole(code);
  });

  /** Another code was sent: what was typed is no longer one. */
  function startAgain() {
    lastTried.current = '';
    clearErrors();
    setValue('code', '');
    setFocus('code');
  }

  function confirm() {
    if (isDone) return;
    clearErrors();
    const message = codeRules.code.validate(getValues('code'));
    if (message) setError('code', { type: 'digits', message }, { shouldFocus: true });
    else submit();
  }

  // Without rules here: those would complain of every digit that is typed after a wrong code.
  const field = register('code');
  return {
    field: {
      ...field,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        void field.onChange(event);
        clearErrors('code');
        submitWhole(event.target.value);
      },
    },
    fieldError: form.errors.code?.message,
    checking: form.isSubmitting || isDone,
    problem: form.problem,
    say: (sentence?: string) => {
      if (sentence) setError('root', { message: sentence });
      else clearErrors('root');
    },
    startAgain,
    confirm,
  };
}
