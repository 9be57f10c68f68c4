-- Takes back the entries that these entrants' sign-ups earned their referrers, unless they are taken back already.
-- Referrals that were cleared are not there any more.
WITH reversed AS (
    UPDATE referrals SET is_reversed = true, reversals = reversals + 1
    WHERE referred_user_id = ANY($1) AND NOT is_reversed
    RETURNING referrer_id, referred_user_id, reversals
), change AS MATERIALIZED (
    SELECT reversed.*, -delta AS delta
    FROM reversed
    JOIN entry_ledger ON user_id = referrer_id AND kind = 'referral' AND cause_id = referred_user_id
), ledger_row AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id, step)
    SELECT referrer_id, 'referral_reversed', delta, referred_user_id, reversals FROM change
)
UPDATE users SET bonus_entries = bonus_entries + sums.delta
FROM (SELECT referrer_id, sum(delta)::bigint AS delta FROM change GROUP BY referrer_id) AS sums
WHERE users.id = sums.referrer_id
