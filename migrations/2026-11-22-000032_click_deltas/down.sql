UPDATE sms_scheduled_campaigns AS campaign
SET clicked_count = clicked_count + delta.clicked, cta_clicked_count = cta_clicked_count + delta.cta_clicked
FROM (
    SELECT campaign_id, sum(clicked)::bigint AS clicked, sum(cta_clicked)::bigint AS cta_clicked
    FROM sms_click_deltas
    GROUP BY campaign_id
) AS delta
WHERE campaign.id = delta.campaign_id;
DROP TABLE sms_click_deltas;
COMMENT ON COLUMN sms_scheduled_campaigns.clicked_count IS NULL;
