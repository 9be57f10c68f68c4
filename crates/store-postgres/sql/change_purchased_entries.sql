-- Takes back or holds entries of a purchase, in the ledger and in the counters. Negative numbers give entries back. The
-- caller holds the locks of the purchase and of the entrant.
WITH input AS (
    SELECT $1::bigint AS id, $2::bigint AS taken, $3::bigint AS held, $4::text AS status, $5::timestamptz AS at
), purchase AS (
    UPDATE purchases
    SET entries_taken = entries_taken + input.taken, entries_held = entries_held + input.held,
        reversals = reversals + 1, status = input.status, updated_at = input.at,
        refunded_at = CASE WHEN input.status = 'refunded' THEN input.at END
    FROM input
    WHERE purchases.id = input.id
    RETURNING purchases.id, user_id, reversals, taken, held
), rows AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id, step)
    SELECT user_id, kind, delta, id, reversals
    FROM purchase,
         LATERAL (VALUES ('refund', -taken),
                         (CASE WHEN held > 0 THEN 'dispute_held' ELSE 'dispute_released' END, -held)
                 ) AS change (kind, delta)
    WHERE delta <> 0
), counters AS (
    UPDATE users SET paid_entries = paid_entries - taken, held_entries = held_entries + held
    FROM purchase
    WHERE users.id = purchase.user_id AND (taken <> 0 OR held <> 0)
)
SELECT id FROM purchase
