-- Stores a share, unless its event id is known, and the share step of its session.
WITH input AS (
    SELECT $1::bigint AS user_id, $2::text AS platform, $3::text AS referral_code, $4::text AS event_id,
           $5::text AS ip_address, $6::uuid AS session_key, $7::text AS session_id, $8::timestamptz AS created_at
), known AS (
    SELECT input.*, users.id AS known_user_id, coalesce(users.landing_page, '') AS landing_page
    FROM input
    LEFT JOIN users ON users.id = input.user_id
), share AS (
    INSERT INTO social_shares (user_id, platform, referral_code, event_id, ip_address, created_at)
    SELECT known_user_id, platform, referral_code, event_id, ip_address::inet, created_at FROM known
    ON CONFLICT (event_id) DO NOTHING
), step AS (
    INSERT INTO conversion_funnel (session_key, session_id, user_id, landing_page, step, step_data, created_at)
    SELECT session_key, session_id, known_user_id, landing_page, 'socialShare',
           jsonb_build_object('platform', platform), created_at
    FROM known
    WHERE session_key IS NOT NULL
    ON CONFLICT (session_key, landing_page, step) DO NOTHING
)
SELECT count(*) FROM input
