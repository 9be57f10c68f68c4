import type { ApiError } from '../../shared/api/apiError';

/** Why a code is worth nothing any more. */
export type End = 'expired' | 'used';

export const CODE_EXPIRED = 'This code no longer works: a code is good for 10 minutes and 5 tries.';

export function endOf({ code }: ApiError): End | undefined {
  if (code === 'verification_expired') return 'expired';
  return code === 'verification_used' ? 'used' : undefined;
}
