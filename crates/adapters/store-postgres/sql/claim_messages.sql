-- Locks pending messages that are due, up to a limit for each kind, and returns them with what decides whether each is still
-- sent. Codes come first, the newest of them before the others: whoever asked last is still waiting. Campaign messages come
-- last, and all but codes come oldest first.
WITH quota AS (
    SELECT * FROM unnest($1::text[], $2::bigint[]) AS quota (kind, most)
), codes AS MATERIALIZED (
    SELECT id, kind, campaign_id, user_id, phone_number, message_body, sealed_body, attempt, due_at, created_at,
           consent_id, is_erased
    FROM sms_sent_messages
    WHERE status = 'pending' AND kind = 'code' AND due_at <= $3
    ORDER BY due_at DESC, id DESC
    LIMIT (SELECT most FROM quota WHERE kind = 'code')
    FOR NO KEY UPDATE SKIP LOCKED
), others AS MATERIALIZED (
    SELECT message.*
    FROM quota
    CROSS JOIN LATERAL (
        SELECT id, kind, campaign_id, user_id, phone_number, message_body, sealed_body, attempt, due_at, created_at,
           consent_id, is_erased
        FROM sms_sent_messages
        WHERE status = 'pending' AND kind = quota.kind AND quota.kind <> 'code' AND due_at <= $3
        ORDER BY due_at, id
        LIMIT quota.most
        FOR NO KEY UPDATE SKIP LOCKED
    ) AS message
    ORDER BY message.kind = 'campaign', message.due_at, message.id
    LIMIT $4
), waiting AS (
    SELECT row_number() OVER (ORDER BY due_at DESC, id DESC) AS place, 0 AS rank, codes.* FROM codes
    UNION ALL
    SELECT row_number() OVER (ORDER BY kind = 'campaign', due_at, id), 1, others.* FROM others
    ORDER BY rank, place
    LIMIT $4
)
SELECT message.id, message.kind, message.campaign_id, message.phone_number, message.message_body, message.sealed_body,
       message.attempt + 1 AS attempt, message.created_at, message.consent_id, message.is_erased, users.landing_page,
       users.referral_code, users.is_flagged, coalesce(opt_out.opted_out, false) AS has_opted_out,
       welcome.is_active AS welcome_is_active, campaign.target_audience <> 'custom' AS is_of_entrants,
       answer.id AS answer_id, answer.granted, answer.is_revoked
FROM waiting AS message
LEFT JOIN users ON users.id = message.user_id
LEFT JOIN welcome_sms_templates AS welcome ON welcome.landing_page = users.landing_page
LEFT JOIN sms_opt_outs AS opt_out ON opt_out.phone_number = message.phone_number
LEFT JOIN sms_scheduled_campaigns AS campaign ON campaign.id = message.campaign_id
LEFT JOIN LATERAL (
    SELECT id, granted, revoked_at IS NOT NULL AS is_revoked
    FROM user_consent
    WHERE message.kind = 'campaign' AND user_id = users.id AND consent_type = 'sms_campaigns'
    ORDER BY id DESC
    LIMIT 1
) AS answer ON true
ORDER BY message.rank, message.place
