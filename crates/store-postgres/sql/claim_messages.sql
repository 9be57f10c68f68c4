-- Waiting texts whose time has come, at most so many of each kind, and why one is not to be sent after all.
WITH waiting AS MATERIALIZED (
    SELECT text.*
    FROM unnest($1::text[], $2::bigint[]) AS wanted (kind, most)
    CROSS JOIN LATERAL (
        SELECT id, kind, campaign_id, user_id, phone_number, message_body, attempt, due_at
        FROM sms_sent_messages
        WHERE status = 'pending' AND kind = wanted.kind AND due_at <= $3
        ORDER BY due_at, id
        LIMIT wanted.most
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS text
    ORDER BY due_at, id
    LIMIT $4
)
SELECT text.id, text.kind, text.campaign_id, text.phone_number, text.message_body, text.attempt + 1 AS attempt,
       users.landing_page, users.referral_code,
       CASE
           WHEN opt_out.opted_out THEN 'opted_out'
           WHEN campaign.target_audience IS NULL OR campaign.target_audience = 'custom' THEN NULL
           WHEN users.is_flagged THEN 'flagged'
           WHEN consent.stands IS NOT TRUE THEN 'no_consent'
       END AS skip
FROM waiting AS text
LEFT JOIN users ON users.id = text.user_id
LEFT JOIN sms_opt_outs AS opt_out ON opt_out.phone_number = text.phone_number
LEFT JOIN sms_scheduled_campaigns AS campaign ON campaign.id = text.campaign_id
LEFT JOIN LATERAL (
    SELECT granted AND revoked_at IS NULL AS stands
    FROM user_consent
    WHERE user_id = users.id AND consent_type = 'sms_campaigns'
    ORDER BY id DESC
    LIMIT 1
) AS consent ON true
ORDER BY text.due_at, text.id
