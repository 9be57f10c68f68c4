-- Adds the oldest deltas of a locked campaign to its counts, up to a limit, and deletes them.
WITH folded AS (
    DELETE FROM sms_campaign_deltas
    WHERE campaign_id = $1 AND id <= (
        SELECT max(id) FROM (
            SELECT id FROM sms_campaign_deltas WHERE campaign_id = $1 ORDER BY id LIMIT $2
        ) AS oldest
    )
    RETURNING open, sent, delivered, error, skipped
), delta AS (
    SELECT sum(open)::bigint AS open, sum(sent)::bigint AS sent, sum(delivered)::bigint AS delivered,
           sum(error)::bigint AS error, sum(skipped)::bigint AS skipped
    FROM folded
    HAVING count(*) > 0
)
UPDATE sms_scheduled_campaigns
SET open_count = open_count + open, sent_count = sent_count + sent, delivered_count = delivered_count + delivered,
    error_count = error_count + error, skipped_count = skipped_count + skipped
FROM delta
WHERE sms_scheduled_campaigns.id = $1
