import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import type { ApiError } from '../../shared/api/apiError';
import { useAppForm } from '../../shared/form/useAppForm';
import { codeRules, digitsOf, isWhole } from './codeRules';
import { useWebOtp } from './useWebOtp';

interface CodeValues {
  code: string;
}

interface Options<Answer> {
  /** Changes with each code that is sent. */
  sentAt: number;
  /** Throws an ApiError if the code was not taken. */
  verify: (code: string) => Promise<Answer>;
  onVerified: (answer: Answer) => unknown;
  /** Whether the field is what the visitor has just asked for. */
  takesFocus?: boolean;
  /** What to say of a failure that is not the field's. */
  explain: (error: ApiError) => string | undefined;
}

/** Confirming a code: it is sent by itself once it has all digits, and never twice at a time. */
export function useCodeForm<Answer>(options: Options<Answer>) {
  const { sentAt, verify, onVerified, takesFocus = false, explain } = options;
  const [isDone, setDone] = useState(false);
  const lastTried = useRef('');
  const form = useAppForm<CodeValues>({
    defaultValues: { code: '' },
    send,
    explain: (error) => {
      const sentence = explain(error);
      if (error.fields?.code) setFocus('code', { shouldSelect: true });
      return sentence;
    },
  });
  const { register, getValues, setError, clearErrors, setFocus, setValue, submit } = form;

  useEffect(() => {
    if (takesFocus) setFocus('code');
  }, [takesFocus, setFocus]);

  async function send({ code }: CodeValues) {
    const answer = await verify(digitsOf(code));
    setDone(true);
    await onVerified(answer);
  }

  /** Once for each code: a wrong one is not sent again by a change that leaves it as it was. */
  function submitWhole(typed: string) {
    if (!isWhole(typed) || digitsOf(typed) === lastTried.current) return;
    lastTried.current = digitsOf(typed);
    submit();
  }

  useWebOtp(sentAt, (code) => {
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
