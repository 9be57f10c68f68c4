-- Claims up to $2 open purchases that were last updated before $1, oldest first, and sets their update time to $3.
WITH due AS (
    SELECT id, updated_at FROM purchases
    WHERE status IN ('pending', 'failed') AND updated_at < $1
    ORDER BY updated_at, id
    LIMIT $2
    FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE purchases SET updated_at = $3
    FROM due
    WHERE purchases.id = due.id
    RETURNING purchases.*, due.updated_at AS due_since
)
SELECT id, user_id, package_id, stripe_payment_intent_id, amount, entries_added, status, event_id, created_at
FROM taken
ORDER BY due_since, id
