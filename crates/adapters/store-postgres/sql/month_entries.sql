-- The entries of an entrant that may count toward the cap of one month, or of any month if $2, $3 and $4 are null: free ones by
-- their cause, those of purchases by status, and those of an erased person with the same number.
SELECT NULL::date AS month, cause_id AS cause, NULL AS status, delta AS entries, 0::bigint AS taken
FROM entry_ledger
WHERE user_id = $1 AND kind = 'free' AND ($3::bigint IS NULL OR cause_id BETWEEN $3 AND $4)
UNION ALL
SELECT cap_month, NULL, status, sum(entries_added)::bigint, sum(entries_taken)::bigint
FROM purchases
WHERE user_id = $1 AND cap_month IS NOT NULL AND ($2::date IS NULL OR cap_month = $2)
GROUP BY cap_month, status
UNION ALL
SELECT month, NULL, NULL, entries, 0
FROM inherited_entries
WHERE user_id = $1 AND ($2 IS NULL OR month = $2)
