-- The next recipients of a campaign after a phone number, with the consent that allows the message, and the reason to skip
-- each one, if any. `$4`: the audience is of entrants. It counts one more message for each recipient who is not skipped. The
-- counts are locked in the order of the phone numbers, as in every other transaction.
WITH recipient AS MATERIALIZED (
    SELECT phone_number
    FROM sms_recipients
    WHERE campaign_id = $1 AND phone_number > $2
    ORDER BY phone_number
    LIMIT $3
), checked AS MATERIALIZED (
    SELECT recipient.phone_number, users.id AS user_id, users.landing_page,
           CASE WHEN consent.is_valid THEN consent.id END AS consent_id,
           CASE
               WHEN opt_out.opted_out THEN 'opted_out'
               WHEN NOT (
                   CASE WHEN recipient.phone_number LIKE '+1%' THEN left(recipient.phone_number, 5) <> ALL ($7)
                        ELSE left(recipient.phone_number, 2) = ANY ($8) OR left(recipient.phone_number, 3) = ANY ($8)
                             OR left(recipient.phone_number, 4) = ANY ($8)
                   END
               ) THEN 'country'
               WHEN $4 AND users.is_flagged THEN 'flagged'
               WHEN ($4 OR users.id IS NOT NULL) AND consent.is_valid IS NOT TRUE THEN 'no_consent'
           END AS skip
    FROM recipient
    LEFT JOIN users ON users.phone_number = recipient.phone_number
    LEFT JOIN sms_opt_outs AS opt_out ON opt_out.phone_number = recipient.phone_number
    LEFT JOIN LATERAL (
        SELECT id, granted AND revoked_at IS NULL AS is_valid
        FROM user_consent
        WHERE user_id = users.id AND consent_type = 'sms_campaigns'
        ORDER BY id DESC
        LIMIT 1
    ) AS consent ON true
), counted AS (
    INSERT INTO sms_monthly_counts (phone_number, month, texts)
    SELECT phone_number, $5, 1 FROM checked
    WHERE skip IS NULL AND $6 > 0
    ORDER BY phone_number
    ON CONFLICT (phone_number, month) DO UPDATE SET texts = sms_monthly_counts.texts + 1
    WHERE sms_monthly_counts.texts < $6
    RETURNING phone_number
)
SELECT phone_number, user_id, landing_page, consent_id,
       CASE
           WHEN skip IS NOT NULL THEN skip
           WHEN phone_number NOT IN (SELECT phone_number FROM counted) THEN 'monthly_cap'
       END AS skip
FROM checked
ORDER BY phone_number
