-- Gives the free entries of a date. Returns no row when the entrant has claimed on this date before. The caller holds the lock of
-- the entrant's row, so that concurrent claims and purchases are counted one after the other, and has decided how many fit.
WITH input AS (
    SELECT $1::bigint AS user_id, $2::bigint AS cause, $3::bigint AS entries
), given AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
    SELECT user_id, 'free', entries, cause
    FROM input
    ON CONFLICT ON CONSTRAINT entry_ledger_cause_once DO NOTHING
    RETURNING user_id, delta
), counter AS (
    UPDATE users SET bonus_entries = bonus_entries + delta
    FROM given
    WHERE users.id = given.user_id
)
SELECT delta FROM given
