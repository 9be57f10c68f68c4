import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { isUnknown } from '../../shared/api/isUnknown';
import { useAppForm } from '../../shared/form/useAppForm';
import { codeRules, digitsOf, isWhole } from './codeRules';
import type { SentCode } from './sentCode';
import { sentenceOf } from './sentenceOf';
import type { Explain } from './useAction';
import { useSecondsUntil } from './useSecondsUntil';
import { useSendCode } from './useSendCode';
import { useWebOtp } from './useWebOtp';

interface CodeValues {
  code: string;
}

interface Options {
  code: SentCode;
  /** Throws an ApiError if the code was not taken. */
  confirm: (code: string) => Promise<unknown>;
  /** Has another code sent. Throws an ApiError if it was not. */
  resend: () => Promise<unknown>;
  /** What to say of a failure that is not the field's. */
  explain?: Explain;
  /** Whether the field is what the visitor has just asked for. */
  takesFocus?: boolean;
}

/** What the server makes people wait at most for another code. */
const MOST_S = 60;

/** A code that was texted: it is sent by itself once it has all digits, never twice at a time, and can be sent again. */
export function useCodeForm(options: Options) {
  const { code, confirm, resend, explain = sentenceOf, takesFocus = false } = options;
  const [isDone, setDone] = useState(false);
  const [isLost, setLost] = useState(false);
  const [wasResent, setResent] = useState(false);
  const sent = useRef('');
  /** What was tried of the code that works now, and what the server said last. */
  const wrong = useRef({ tried: new Set<string>(), message: '' });
  const form = useAppForm<CodeValues>({
    defaultValues: { code: '' },
    send,
    explain: (error) => {
      setLost(isUnknown(error));
      const messages = error.fields?.code;
      if (messages) {
        wrong.current.tried.add(sent.current);
        wrong.current.message = messages.join('\n') || error.sentence;
        setFocus('code', { shouldSelect: true });
      }
      return explain(error);
    },
  });
  const { register, getValues, setError, clearErrors, setFocus, setValue, submit } = form;

  useEffect(() => {
    if (takesFocus) setFocus('code');
  }, [takesFocus, setFocus]);

  // Digits that are wrong for one code may be those of the next.
  const keyOf = (typed: string) => `${code.expiresAt} ${digitsOf(typed)}`;

  async function send({ code: typed }: CodeValues) {
    sent.current = keyOf(typed);
    await confirm(digitsOf(typed));
    setDone(true);
  }

  useWebOtp(code.expiresAt, (received) => {
    setValue('code', received);
    submitWhole(received);
  });

  function submitWhole(typed: string) {
    if (isWhole(typed)) submitTyped();
  }

  function submitTyped() {
    if (isDone) return;
    clearErrors();
    const message = problemWith(getValues('code'));
    if (message === undefined) return submit();
    setError('code', { type: 'digits', message });
    setFocus('code', { shouldSelect: isWhole(getValues('code')) });
  }

  /** No second try is spent on a code that was wrong. */
  function problemWith(typed: string): string | undefined {
    const { tried, message } = wrong.current;
    return codeRules.code.validate(typed) ?? (tried.has(keyOf(typed)) ? message : undefined);
  }

  const secondsLeft = useSecondsUntil(code.resendAt, MOST_S);
  const again = useSendCode(sendAgain, (error) => {
    const message = explain(error);
    // In the form's own place, from where the next try takes it.
    if (message) setError('root', { message });
    return message;
  });

  async function sendAgain() {
    clearErrors('root');
    setResent(false);
    await resend();
    setResent(true);
    setLost(false);
    clearErrors(); // what was typed is no longer a code
    setValue('code', '');
    setFocus('code');
  }

  // Without rules here: those would complain of every digit that is typed after a wrong code.
  const field = register('code');
  const checking = form.isSubmitting || isDone;
  return {
    code,
    field: {
      ...field,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        clearErrors('code'); // first: after the change it would also take what submitWhole says
        void field.onChange(event);
        submitWhole(event.target.value);
      },
    },
    fieldError: form.errors.code?.message,
    problem: form.problem,
    checking,
    /** Whether no answer is awaited, and none was lost that may have been the one that took the code. */
    waits: !checking && !isLost,
    submitTyped,
    again: { secondsLeft, sending: again.busy, wasResent, resend: again.start },
  };
}

export type CodeFormState = ReturnType<typeof useCodeForm>;
