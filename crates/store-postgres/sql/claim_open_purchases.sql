-- Purchases that nobody has looked at since $1, at most $2 of them, oldest first; they were looked at at $3 now.
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
