import type { Claim, Drawing } from './api';
import { momentInWords } from './words';

/** Who was asked to take the prize, in the order of their entries, and what came of it. */
export function ClaimRecord({ claims, isUnclaimed }: Pick<Drawing, 'claims' | 'isUnclaimed'>) {
  if (claims.length === 0) return null;
  return (
    <ul className="claims" aria-label="Claims">
      {claims.map((claim) => (
        <li key={claim.rank} className="note">
          <strong>{claim.rank === 0 ? 'Drawn entry' : `Alternate ${claim.rank}`}:</strong>{' '}
          {stateOf(claim)}
        </li>
      ))}
      {isUnclaimed && (
        <li className="note">
          <strong>Unclaimed:</strong> nobody took the prize, and it is not drawn again.
        </li>
      )}
    </ul>
  );
}

function stateOf(claim: Claim): string {
  const { status, until } = claim;
  switch (status) {
    case 'awaiting':
      return until ? `waiting for a claim until ${momentInWords(until)}` : 'waiting for a claim';
    case 'claimed':
    case 'delivered':
      return wonBy(claim, [status, proofOf(claim)].filter(Boolean).join(', '));
    case 'declined':
      return 'declined the prize';
    case 'expired':
      return 'not claimed in time';
    case 'unreachable':
      return 'could not be reached, after calls on three days';
    case 'rejected':
      return rejectionOf(claim);
  }
}

const proofs = {
  code: 'number verified by code',
  call: 'number verified by call',
  visitor_token: 'verified by the browser that entered',
};

function proofOf({ verifiedBy, confirmedBy }: Claim): string | undefined {
  if (!verifiedBy) return undefined;
  return confirmedBy ? `${proofs.call} (${people(confirmedBy)})` : proofs[verifiedBy];
}

const people = (count: number) => (count === 1 ? 'one person' : 'two people');

/** Only what the winner agreed to publish, and first: they won the prize, and others deliver it. */
function wonBy({ firstName, state }: Claim, outcome: string): string {
  const who = [firstName, state].filter(Boolean).join(', ');
  return who ? `Won by ${who}. ${outcome[0]?.toUpperCase()}${outcome.slice(1)}.` : outcome;
}

const reasons = {
  underage: 'younger than 18',
  residence: 'not living in the United States',
  affiliated: 'works for us, or lives with somebody who does',
  fraud: 'broke the rules to enter',
  payment_reversed: 'the payment for its entries was taken back',
  false_details: 'details that are not right',
};

function rejectionOf({ reason, decidedBy, until }: Claim): string {
  const parts = [
    `not eligible${reason ? ` (${reasons[reason]})` : ''}`,
    decidedBy && `decided by ${people(decidedBy)}`,
    until && `can object until ${momentInWords(until)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
