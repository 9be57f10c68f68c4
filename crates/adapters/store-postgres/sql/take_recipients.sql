-- The next recipients of a campaign after a phone number, in order, with what decides whether they get its message.
WITH recipient AS MATERIALIZED (
    SELECT phone_number
    FROM sms_recipients
    WHERE campaign_id = $1 AND phone_number > $2
    ORDER BY phone_number
    LIMIT $3
)
SELECT recipient.phone_number, users.id AS user_id, users.landing_page, users.is_flagged,
       coalesce(opt_out.opted_out, false) AS has_opted_out, answer.id AS answer_id, answer.granted, answer.is_revoked
FROM recipient
LEFT JOIN users ON users.phone_number = recipient.phone_number
LEFT JOIN sms_opt_outs AS opt_out ON opt_out.phone_number = recipient.phone_number
LEFT JOIN LATERAL (
    SELECT id, granted, revoked_at IS NOT NULL AS is_revoked
    FROM user_consent
    WHERE user_id = users.id AND consent_type = 'sms_campaigns'
    ORDER BY id DESC
    LIMIT 1
) AS answer ON true
ORDER BY recipient.phone_number
