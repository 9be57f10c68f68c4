-- Adds a message for each recipient, in the given order: `sending` with attempt 1, `pending` until its recipient may get it, or
-- `skipped`.
INSERT INTO sms_sent_messages
    (kind, campaign_id, user_id, phone_number, message_body, tracking_id, tracking_url, status, error_message, attempt,
     due_at, created_at, consent_id)
SELECT 'campaign', $1, user_id, phone_number, message_body, tracking_id, tracking_url,
       CASE WHEN skip IS NOT NULL THEN 'skipped' WHEN wait_until IS NOT NULL THEN 'pending' ELSE 'sending' END, skip,
       CASE WHEN skip IS NULL AND wait_until IS NULL THEN 1 ELSE 0 END, coalesce(wait_until, $2), $2, consent_id
FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[],
            $10::bigint[])
    WITH ORDINALITY AS message (user_id, phone_number, message_body, tracking_id, tracking_url, skip, wait_until, consent_id, place)
ORDER BY place
RETURNING id
