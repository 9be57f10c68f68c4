-- Records whether an entrant consented to campaign messages.
WITH input AS (
    SELECT $1::bigint AS user_id, $2::text AS version, $3::text AS act, $4::boolean AS granted,
           $5::text AS ip_address, $6::text AS user_agent, $7::timestamptz AS at
)
INSERT INTO user_consent (user_id, consent_type, version, act, granted, ip_address, user_agent, granted_at, created_at)
SELECT user_id, 'sms_campaigns', version, act, granted, ip_address::inet, user_agent, CASE WHEN granted THEN at END, at
FROM input
RETURNING id
