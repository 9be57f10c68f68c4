import type { ApiError } from '../../../shared/api/apiError';
import { call } from '../../api/call';
import type { CurrentRulesView, RulesView } from '../../api/generatedRules';

export type {
  NextPrizeView as PrizeThen,
  PromisedPrizeView as PromisedPrize,
  RulesVersionView as Version,
} from '../../api/generatedRules';

/** What the page shows: the rules of this month or one version, and with the former all versions and what can be won. */
export type Rules = RulesView & Partial<Pick<CurrentRulesView, 'versions' | 'prizes'>>;

export type Answer = { rules: Rules; error?: never } | { rules?: never; error: ApiError };

/** A plain call and no RTK Query: this page needs no store, which would weigh more than the page. */
export async function getRules(version: string | undefined): Promise<Answer> {
  const url = version === undefined ? '/api/rules' : `/api/rules/${encodeURIComponent(version)}`;
  const { data, error } = await call({ url });
  return error ? { error } : { rules: data as Rules };
}
