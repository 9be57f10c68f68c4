-- How far texts have come.
UPDATE sms_sent_messages AS text
SET status = change.status, error_message = change.error_message, provider_message_id = change.provider_message_id,
    sent_at = change.sent_at, due_at = coalesce(change.due_at, text.due_at)
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
    AS change (id, status, error_message, provider_message_id, sent_at, due_at)
WHERE text.id = change.id
