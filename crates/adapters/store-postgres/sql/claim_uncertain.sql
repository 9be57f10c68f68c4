-- Claims messages that may have been sent and are due to be looked up at the provider, and sets when to look them up
-- again. A message without a body was never sent: it becomes pending again.
WITH uncertain AS MATERIALIZED (
    SELECT id, due_at, coalesce(tracking_url, message_body) AS needle, sealed_body
    FROM sms_sent_messages
    WHERE status = 'unknown' AND due_at <= $1
    ORDER BY due_at, id
    LIMIT $2
    FOR NO KEY UPDATE SKIP LOCKED
), taken AS (
    UPDATE sms_sent_messages AS message
    SET due_at = $3, status = CASE WHEN needle IS NULL AND uncertain.sealed_body IS NULL THEN 'pending' ELSE status END
    FROM uncertain
    WHERE message.id = uncertain.id
    RETURNING message.id, attempt, phone_number, needle, uncertain.sealed_body, created_at, uncertain.due_at
)
SELECT id, attempt, phone_number, needle, sealed_body, created_at FROM taken
WHERE needle IS NOT NULL OR sealed_body IS NOT NULL
ORDER BY due_at, id
