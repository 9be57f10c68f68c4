-- All steps with ids up to $1 of the sessions of the first $2 uncounted steps, grouped by session.
WITH session AS MATERIALIZED (
    SELECT DISTINCT session_key FROM (
        SELECT session_key FROM conversion_funnel WHERE NOT counted AND id <= $1 ORDER BY id LIMIT $2
    ) AS uncounted
)
SELECT step.id, session.session_key, step.landing_page, step.step, step.exit_point, step.counted, step.created_at
FROM session
CROSS JOIN LATERAL (
    SELECT id, landing_page, step, exit_point, counted, created_at
    FROM conversion_funnel
    WHERE session_key = session.session_key AND (counted OR id <= $1)
) AS step
ORDER BY session.session_key
