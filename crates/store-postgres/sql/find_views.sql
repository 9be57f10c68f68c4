-- Which of these have a view between their first and their last key already: their numbers, from 1.
SELECT number
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS input (first_key, last_key, number)
WHERE EXISTS (SELECT FROM page_views WHERE view_key BETWEEN first_key AND last_key)
