import type { ApiError } from '../../../shared/api/apiError';
import { endOf } from '../../lib/codeEnds';
import { sentenceOf } from '../../lib/sentenceOf';
import { useCodeForm } from '../../lib/useCodeForm';
import { resendCode, verify } from './api';
import { forgetPending, pendingOf } from './pendingCode';
import type { CodeStepProps } from './stubProps';
import { trackSignUp } from './trackSignUp';

/** The code of a sign-up. One that is worth nothing any more leads back to the number. */
export function useCode({ pending, onEntered, onNews, onLeave }: CodeStepProps) {
  async function confirm(code: string) {
    const answer = await verify({ verificationId: pending.id, code });
    if ('error' in answer) throw answer.error as unknown; // to explain, and to its input
    forgetPending();
    trackSignUp(answer.user, pending);
    await onEntered(answer.user, pending.referralCode !== undefined);
  }

  async function resend() {
    const answer = await resendCode({ verificationId: pending.id });
    if ('error' in answer) throw answer.error as unknown;
    onNews(pendingOf(pending, answer.verification));
  }

  function explain(error: ApiError) {
    const end = endOf(error);
    if (end) onLeave(end);
    return end ? undefined : sentenceOf(error);
  }

  return useCodeForm({ code: pending, confirm, resend, explain, takesFocus: true });
}
