import { useRef, useState } from 'react';
import { sentenceOf } from '../../lib/sentenceOf';
import { useSecondsUntil } from '../../lib/useSecondsUntil';
import { resendCode } from './api';
import { pendingOf, type PendingCode } from './pendingCode';
import { endOf, type Left } from './problems';

interface Options {
  pending: PendingCode;
  onResent: (pending: PendingCode) => void;
  onLeave: (left: Left) => void;
  /** Says why no code was sent; nothing takes it back. */
  onProblem: (sentence?: string) => void;
}

/** What the server makes people wait at most. */
const MOST_S = 60;

/** Sending the code again: not before the server takes it, and once however often it is pressed. */
export function useResend({ pending, onResent, onLeave, onProblem }: Options) {
  const secondsLeft = useSecondsUntil(pending.resendAt, MOST_S);
  const [sending, setSending] = useState(false);
  const [wasResent, setResent] = useState(false);
  const busy = useRef(false);

  async function ask() {
    const answer = await resendCode({ verificationId: pending.id });
    if (!('error' in answer)) {
      setResent(true);
      return onResent(pendingOf(pending, answer.verification));
    }
    const end = endOf(answer.error);
    if (end) onLeave(end);
    else onProblem(sentenceOf(answer.error));
  }

  async function resend() {
    if (busy.current || secondsLeft > 0) return;
    busy.current = true;
    setSending(true);
    setResent(false);
    onProblem();
    await ask();
    busy.current = false;
    setSending(false);
  }

  return { secondsLeft, sending, wasResent, resend };
}
