import type { EvidenceView } from '../api/admin';
import { countOf, formatCount, formatPercent } from '../../shared/lib/format';

/** What fraud detection found, one sentence for each. */
export function sentencesOf(evidence: EvidenceView[]): string[] {
  const accounts = evidence.find(({ kind }) => kind === 'shared_network')?.value;
  return evidence.map((found) => sentenceOf(found, accounts));
}

function sentenceOf({ kind, value, referrerId }: EvidenceView, accounts: number | undefined) {
  switch (kind) {
    case 'shared_network':
      return `${countOf(value, 'account')} on one network`;
    case 'same_fingerprint':
      return `${countOf(value, 'account')} with the same browser`;
    case 'burst':
      return `${countOf(value, 'sign-up')} within ten minutes`;
    case 'one_referrer': {
      const code = referrerId == null ? 'one code' : `one code, of user ${referrerId}`;
      return `${shareOf(value, accounts)} came through ${code}`;
    }
  }
}

/** The share comes as a number from 0 to 1; with the network's accounts it is told in accounts. */
function shareOf(share: number, accounts: number | undefined): string {
  if (accounts === undefined) return `${formatPercent(share * 100, 0)} of the network's accounts`;
  return `${formatCount(Math.round(share * accounts))} of ${countOf(accounts, 'account')}`;
}
