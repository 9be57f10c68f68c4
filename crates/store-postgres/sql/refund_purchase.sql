-- Refunds a completed purchase and removes its entries, at most as many as the entrant's paid entries, which are read
-- under the lock of the entrant's row. Returns no row when the purchase is not completed.
WITH input AS (
    SELECT $1::bigint AS id, $2::timestamptz AS at
), purchase AS (
    UPDATE purchases SET status = 'refunded', refunded_at = input.at, updated_at = input.at
    FROM input
    WHERE purchases.id = input.id AND status = 'completed'
    RETURNING purchases.id, user_id, entries_added, refunded_at
), entrant AS MATERIALIZED (
    SELECT users.id, purchase.id AS purchase_id, refunded_at, least(entries_added, paid_entries) AS taken
    FROM users
    JOIN purchase ON users.id = purchase.user_id
    FOR NO KEY UPDATE OF users
), taken_entries AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id, created_at)
    SELECT id, 'refund', -taken, purchase_id, refunded_at FROM entrant WHERE taken > 0
), counter AS (
    UPDATE users SET paid_entries = paid_entries - taken
    FROM entrant
    WHERE users.id = entrant.id AND taken > 0
)
SELECT id FROM purchase
