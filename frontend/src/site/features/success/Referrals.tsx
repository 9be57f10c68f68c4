import { useState } from 'react';
import { formatPhone, maskPhone } from '../../../shared/lib/phone';
import type { Referral } from './api';
import type { Variant } from './variants';

const SHOWN_AT_FIRST = 10;

interface Props {
  variant: Variant;
  referrals: Referral[];
  /** How many there are in all: the server lists the newest 500. */
  count: number;
}

export function Referrals({ variant, referrals, count }: Props) {
  if (referrals.length === 0 && !variant.isGeneric) return null;
  return (
    <section className="card friends" aria-labelledby="friends-title">
      <h2 id="friends-title">{variant.isGeneric ? 'Recent Referrals' : 'Your Referrals'}</h2>
      {referrals.length === 0 ? (
        <p>No referrals yet. Share your link to get started!</p>
      ) : (
        <ReferralList referrals={referrals} masked={variant.masksNumbers} />
      )}
      {count > referrals.length && (
        <p className="note">
          Showing the newest {referrals.length} of {count}.
        </p>
      )}
    </section>
  );
}

function ReferralList({ referrals, masked }: { referrals: Referral[]; masked: boolean }) {
  const [all, setAll] = useState(false);
  const rows = all ? referrals : referrals.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul className="rows">
        {rows.map(({ id, referredPhoneNumber, createdAt }) => (
          <li key={id}>
            <span className="phone">
              {masked ? maskPhone(referredPhoneNumber) : formatPhone(referredPhoneNumber)}
            </span>
            <time dateTime={createdAt}>
              {new Date(createdAt).toLocaleDateString(undefined, { dateStyle: 'medium' })}
            </time>
          </li>
        ))}
      </ul>
      {rows.length < referrals.length && (
        <button type="button" className="button quiet" onClick={() => setAll(true)}>
          Show all {referrals.length}
        </button>
      )}
    </>
  );
}
