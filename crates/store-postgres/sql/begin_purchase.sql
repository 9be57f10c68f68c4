-- Begins a purchase. Returns no row when the entrant does not exist.
WITH input AS (
    SELECT $1::bigint AS user_id, $2::bigint AS package_id, $3::bigint AS amount, $4::bigint AS entries_added,
           $5::text AS event_id, $6::timestamptz AS created_at
)
INSERT INTO purchases (user_id, package_id, amount, entries_added, event_id, created_at, updated_at)
SELECT user_id, package_id, amount, entries_added, event_id, input.created_at, input.created_at
FROM input
JOIN users ON users.id = user_id
RETURNING id
