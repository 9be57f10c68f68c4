-- All steps up to $2 of the sessions that took one after $1, session by session.
WITH session AS MATERIALIZED (
    SELECT DISTINCT session_key FROM conversion_funnel WHERE id > $1 AND id <= $2
)
SELECT step.id, session.session_key, step.landing_page, step.step, step.exit_point, step.created_at
FROM session
CROSS JOIN LATERAL (
    SELECT id, landing_page, step, exit_point, created_at
    FROM conversion_funnel
    WHERE session_key = session.session_key AND id <= $2
) AS step
ORDER BY session.session_key
