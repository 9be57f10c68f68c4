import type { ApiError } from '../../../shared/api/apiError';
import { call } from '../../api/call';
import { serverTime } from '../../lib/serverTime';
import type { ClaimDetailsBody, ClaimView, OpenedClaimView } from '../../api/generatedClaims';

export type {
  ClaimRejectionView as Rejection,
  ClaimView as Claim,
  RejectionReasonView as Reason,
} from '../../api/generatedClaims';
export type { ClaimDetailsBody };

/** What a winner can do, by the last part of its path. */
export type Action = 'code' | 'verify' | 'prove' | 'submit' | 'decline' | 'object';

export type Answer =
  /** `now`: what the server's clock showed. */
  { claim: ClaimView; now: number; error?: never } | { claim?: never; error: ApiError };

const pathOf = (token: string) => `/api/claims/${encodeURIComponent(token)}`;

/** Plain calls and no RTK Query: this page needs no store, which would weigh more than the page. */
export async function getClaim(token: string): Promise<Answer> {
  return answerOf(await call({ url: pathOf(token) }));
}

/** Opens a claim with the code of a call: the secret of its link. Throws an ApiError. */
export async function openAfterCall(code: string): Promise<string> {
  const { data, error } = await call({ url: '/api/claims', method: 'POST', body: { code } });
  if (error) throw error as unknown;
  return (data as OpenedClaimView).token;
}

export async function postAction(token: string, action: Action, body?: object): Promise<Answer> {
  return answerOf(await call({ url: `${pathOf(token)}/${action}`, method: 'POST', body }));
}

const answerOf = ({ data, error, meta }: Awaited<ReturnType<typeof call>>): Answer =>
  error ? { error } : { claim: data as ClaimView, now: serverTime(meta) };
