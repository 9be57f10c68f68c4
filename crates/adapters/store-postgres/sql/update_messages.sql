-- Saves the delivery states of messages. A trigger erases secret bodies.
UPDATE sms_sent_messages AS message
SET status = change.status, error_message = change.error_message, provider_message_id = change.provider_message_id,
    sent_at = change.sent_at, due_at = change.due_at
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
    AS change (id, status, error_message, provider_message_id, sent_at, due_at)
WHERE message.id = change.id
