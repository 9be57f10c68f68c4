-- Gives the free entries of a date, as far as they fit under the cap. Returns no row when the entrant has claimed on this date
-- before, or nothing fits. The caller holds the lock of the entrant's row, so that concurrent claims and purchases are counted
-- one after the other.
WITH input AS (
    SELECT $1::bigint AS user_id, $2::bigint AS cause, $3::date AS month, $4::bigint AS cap, $5::bigint AS a_day
), given AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
    SELECT user_id, 'free', least(a_day, cap - used), cause
    FROM input
    CROSS JOIN LATERAL capped_entries(user_id, month) AS used
    WHERE used < cap
    ON CONFLICT ON CONSTRAINT entry_ledger_cause_once DO NOTHING
    RETURNING user_id, delta
), counter AS (
    UPDATE users SET bonus_entries = bonus_entries + delta
    FROM given
    WHERE users.id = given.user_id
)
SELECT delta FROM given
