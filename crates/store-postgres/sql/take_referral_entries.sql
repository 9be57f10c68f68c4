-- Takes back the entries that the next entrants got for referrals, up to a row of the ledger: counters and ledger together.
WITH part AS MATERIALIZED (
    SELECT id, bonus_entries FROM users WHERE id > $1 ORDER BY id LIMIT $2
), earned AS MATERIALIZED (
    SELECT part.id, ledger.entries
    FROM part
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(delta), 0)::bigint AS entries
        FROM entry_ledger
        WHERE user_id = part.id AND kind IN ('referral', 'referral_reversed', 'referral_restored', 'clearing') AND id <= $3
    ) AS ledger
    WHERE part.bonus_entries > 0 AND ledger.entries > 0
), counter AS (
    UPDATE users SET bonus_entries = users.bonus_entries - earned.entries
    FROM earned
    WHERE users.id = earned.id
), taken AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id)
    SELECT id, 'clearing', -entries, $4 FROM earned
)
SELECT (SELECT max(id) FROM part) AS last_id, (SELECT coalesce(sum(entries), 0) FROM earned)::bigint AS entries
