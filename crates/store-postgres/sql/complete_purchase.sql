-- Completes a purchase and adds its entries. Returns how many refunds and disputes its payment has, which the caller applies, or no
-- row when the purchase does not exist or cannot be completed. A canceled one is completed only on demand: its entries may no longer fit under the cap.
-- Of concurrent calls, only the first succeeds: the others wait for its row lock and then see the new status.
WITH input AS (
    SELECT $1::bigint AS id, $2::timestamptz AS at, $3::boolean AS if_canceled
), purchase AS (
    UPDATE purchases SET status = 'completed', completed_at = input.at, updated_at = input.at
    FROM input
    WHERE purchases.id = input.id AND (status IN ('pending', 'failed') OR status = 'canceled' AND if_canceled)
    RETURNING purchases.id, user_id, entries_added, completed_at, stripe_payment_intent_id
), bought_entries AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
    SELECT user_id, 'purchase', entries_added, id FROM purchase
), conversion AS (
    UPDATE referrals SET converted_at = completed_at
    FROM purchase
    WHERE referred_user_id = purchase.user_id AND converted_at IS NULL
), counter AS (
    UPDATE users SET paid_entries = paid_entries + entries_added
    FROM purchase
    WHERE users.id = purchase.user_id
)
SELECT count_reversals(stripe_payment_intent_id) FROM purchase
