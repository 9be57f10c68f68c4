import type { ApiError } from '../../../shared/api/apiError';
import { sentenceOf } from '../../lib/sentenceOf';
import { useCodeForm } from '../../lib/useCodeForm';
import { verify } from './api';
import { forgetPending } from './pendingCode';
import { endOf } from './problems';
import type { CodeStepProps } from './stubProps';
import { trackSignUp } from './trackSignUp';

/** Confirming the code of a sign-up. */
export function useCode({ pending, onEntered, onLeave }: CodeStepProps) {
  return useCodeForm({
    sentAt: pending.resendAt,
    verify: async (code) => {
      const answer = await verify({ verificationId: pending.id, code });
      if ('error' in answer) throw answer.error as unknown; // to explain, and to its input
      return answer.user;
    },
    onVerified: async (user) => {
      forgetPending();
      trackSignUp(user, pending);
      await onEntered(user, pending.referralCode !== undefined);
    },
    explain: (error: ApiError) => {
      const end = endOf(error);
      if (end) onLeave(end);
      return end ? undefined : sentenceOf(error);
    },
  });
}
