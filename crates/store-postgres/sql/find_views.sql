-- Returns the positions, from 1, of the key ranges that contain a stored view.
SELECT number
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS input (first_key, last_key, number)
WHERE EXISTS (SELECT FROM page_views WHERE view_key BETWEEN first_key AND last_key)
