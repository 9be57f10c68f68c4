-- Purchases with one of the statuses `$2` whose next check is due, the longest due first. They stay locked until their next check
-- is stored.
SELECT id, user_id, package_id, stripe_payment_intent_id, amount, entries_added, status, event_id, created_at, checks
FROM purchases
WHERE status = ANY ($2) AND next_check_at <= $1
ORDER BY next_check_at, id
LIMIT $3
FOR UPDATE SKIP LOCKED
