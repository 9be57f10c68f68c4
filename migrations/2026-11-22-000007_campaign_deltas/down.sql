UPDATE sms_scheduled_campaigns AS campaign
SET open_count = open_count + delta.open, sent_count = sent_count + delta.sent,
    delivered_count = delivered_count + delta.delivered, error_count = error_count + delta.error,
    skipped_count = skipped_count + delta.skipped
FROM (
    SELECT campaign_id, sum(open)::bigint AS open, sum(sent)::bigint AS sent, sum(delivered)::bigint AS delivered,
           sum(error)::bigint AS error, sum(skipped)::bigint AS skipped
    FROM sms_campaign_deltas
    GROUP BY campaign_id
) AS delta
WHERE campaign.id = delta.campaign_id;
DROP TABLE sms_campaign_deltas;
COMMENT ON COLUMN sms_scheduled_campaigns.open_count IS NULL;
