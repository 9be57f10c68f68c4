-- Queues a message.
WITH input AS (
    SELECT $1::text AS kind, $2::bigint AS user_id, $3::text AS phone_number, $4::text AS message_body,
           $5::bytea AS sealed_body, $6::timestamptz AS at
)
INSERT INTO sms_sent_messages (kind, user_id, phone_number, message_body, sealed_body, due_at, created_at)
SELECT kind, user_id, phone_number, message_body, sealed_body, at, at FROM input
RETURNING id
