-- Begins a purchase. Returns no row when the entrant has too many open ones, or its entries do not fit under the cap. The
-- caller holds the lock of the entrant's row, so that concurrent purchases of one entrant are counted one after the other.
WITH input AS (
    SELECT $1::bigint AS user_id, $2::bigint AS package_id, $3::bigint AS amount, $4::bigint AS entries_added,
           $5::text AS event_id, $6::timestamptz AS created_at, $7::timestamptz AS next_check_at,
           $8::timestamptz AS open_since, $9::bigint AS most_open, $10::date AS cap_month, $11::bigint AS entry_cap
)
INSERT INTO purchases
    (user_id, package_id, amount, entries_added, event_id, created_at, updated_at, next_check_at, cap_month, entry_cap)
SELECT user_id, package_id, amount, entries_added, event_id, input.created_at, input.created_at, next_check_at,
       cap_month, entry_cap
FROM input
WHERE most_open > (
    SELECT count(*) FROM purchases AS other
    WHERE other.user_id = input.user_id AND status IN ('pending', 'failed') AND other.created_at > open_since
) AND capped_entries(user_id, cap_month) + entries_added <= entry_cap
RETURNING id
