-- Stores a funnel step, unless the session has taken it before.
WITH input AS (
    SELECT $1::uuid AS session_key, $2::text AS session_id, $3::bigint AS user_id, $4::text AS landing_page,
           $5::text AS step, $6::jsonb AS step_data, $7::integer AS time_spent, $8::timestamptz AS created_at
), step AS (
    INSERT INTO conversion_funnel
        (session_key, session_id, user_id, landing_page, step, step_data, time_spent, created_at)
    SELECT session_key, session_id, user_id, landing_page, step, step_data, time_spent, created_at FROM input
    ON CONFLICT (session_key, landing_page, step) DO NOTHING
)
SELECT count(*) FROM input
