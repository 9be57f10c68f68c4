-- Stores times spent on pages, each for the newest view of its session and page. The views are stored before.
WITH input AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::timestamptz[])
        AS spent (first_key, last_key, page, time_spent, created_at)
), stored AS (
    INSERT INTO page_view_times (view_key, page, time_spent, created_at)
    SELECT newest.view_key, input.page, input.time_spent, input.created_at
    FROM input
    CROSS JOIN LATERAL (
        SELECT view_key FROM page_views
        WHERE view_key BETWEEN input.first_key AND input.last_key
        ORDER BY created_at DESC, id DESC
        LIMIT 1
    ) AS newest
)
SELECT count(*) FROM input
