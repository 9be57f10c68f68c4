-- Adds the oldest clicks of a locked campaign to its counts, up to a limit, and deletes their deltas.
WITH folded AS (
    DELETE FROM sms_click_deltas
    WHERE campaign_id = $1 AND id <= (
        SELECT max(id) FROM (
            SELECT id FROM sms_click_deltas WHERE campaign_id = $1 ORDER BY id LIMIT $2
        ) AS oldest
    )
    RETURNING clicked, cta_clicked
), delta AS (
    SELECT sum(clicked)::bigint AS clicked, sum(cta_clicked)::bigint AS cta_clicked
    FROM folded
    HAVING count(*) > 0
)
UPDATE sms_scheduled_campaigns
SET clicked_count = clicked_count + clicked, cta_clicked_count = cta_clicked_count + cta_clicked
FROM delta
WHERE sms_scheduled_campaigns.id = $1
