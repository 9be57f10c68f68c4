-- Returns the positions, from 1, of the key ranges that contain a stored view. LIMIT makes each range a look-up in the
-- index. Without it, the planner may join the other way round and read the whole table, as it does when its statistics
-- say that the table is small.
SELECT number
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS input (first_key, last_key, number)
CROSS JOIN LATERAL (
    SELECT FROM page_views WHERE view_key BETWEEN first_key AND last_key LIMIT 1
) AS known
