-- Takes texts that may have been sent and whose time to be looked up has come. They come again later. What was never
-- composed was never sent either: it waits again.
WITH doubtful AS MATERIALIZED (
    SELECT id, due_at, coalesce(tracking_url, message_body) AS needle
    FROM sms_sent_messages
    WHERE status = 'unknown' AND due_at <= $1
    ORDER BY due_at, id
    LIMIT $2
    FOR NO KEY UPDATE SKIP LOCKED
), taken AS (
    UPDATE sms_sent_messages AS text
    SET due_at = $3, status = CASE WHEN needle IS NULL THEN 'pending' ELSE status END
    FROM doubtful
    WHERE text.id = doubtful.id
    RETURNING text.id, attempt, phone_number, needle, created_at, doubtful.due_at
)
SELECT id, attempt, phone_number, needle, created_at FROM taken WHERE needle IS NOT NULL ORDER BY due_at, id
