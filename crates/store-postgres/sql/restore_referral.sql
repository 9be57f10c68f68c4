-- Gives back the entry that an entrant's sign-up earned the referrer, if it is taken back.
WITH restored AS (
    UPDATE referrals SET is_reversed = false
    WHERE referred_user_id = $1 AND is_reversed
    RETURNING referrer_id, referred_user_id, reversals
), change AS MATERIALIZED (
    SELECT restored.*, delta
    FROM restored
    JOIN entry_ledger ON user_id = referrer_id AND kind = 'referral' AND cause_id = referred_user_id
), ledger_row AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id, step)
    SELECT referrer_id, 'referral_restored', delta, referred_user_id, reversals FROM change
)
UPDATE users SET bonus_entries = bonus_entries + change.delta
FROM change
WHERE users.id = change.referrer_id
