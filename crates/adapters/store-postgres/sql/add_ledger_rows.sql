-- Adds rows to the ledger, and changes the counters of their entrants by what they count as. The first base entry comes
-- with the entrant: add_entrant.sql.
WITH input AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                         $8::bigint[], $9::bigint[])
        AS input (user_id, kind, delta, cause_id, step, base, bonus, paid, held)
), ledger_row AS (
    INSERT INTO entry_ledger (user_id, kind, delta, cause_id, step)
    SELECT user_id, kind, delta, cause_id, step FROM input
)
UPDATE users
SET base_entries = base_entries + sums.base, bonus_entries = bonus_entries + sums.bonus,
    paid_entries = paid_entries + sums.paid, held_entries = held_entries + sums.held
FROM (
    SELECT user_id, sum(base)::bigint AS base, sum(bonus)::bigint AS bonus, sum(paid)::bigint AS paid,
           sum(held)::bigint AS held
    FROM input
    GROUP BY user_id
) AS sums
WHERE users.id = sums.user_id
RETURNING users.id
