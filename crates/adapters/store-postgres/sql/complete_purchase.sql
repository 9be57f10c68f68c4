-- Completes a purchase and adds its entries. Returns how many refunds and disputes of its payment are recorded, which the caller
-- applies. The caller holds the lock of the purchase, and has decided that it is credited.
WITH input AS (
    SELECT $1::bigint AS id, $2::timestamptz AS at, $3::text AS kind, $4::bigint AS delta, $5::bigint AS paid
), purchase AS (
    UPDATE purchases SET status = 'completed', completed_at = input.at, updated_at = input.at
    FROM input
    WHERE purchases.id = input.id
    RETURNING purchases.id, user_id, completed_at, stripe_payment_intent_id
), bought_entries AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
    SELECT user_id, kind, delta, purchase.id FROM purchase, input
), conversion AS (
    UPDATE referrals SET converted_at = completed_at
    FROM purchase
    WHERE referred_user_id = purchase.user_id AND converted_at IS NULL
), counter AS (
    UPDATE users SET paid_entries = paid_entries + input.paid
    FROM purchase, input
    WHERE users.id = purchase.user_id
)
SELECT count(reversal.id) FROM purchase
LEFT JOIN payment_reversals AS reversal USING (stripe_payment_intent_id)
