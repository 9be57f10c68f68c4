-- Clicks as changes of campaigns' counts in rows of their own, so that the visitors of one campaign do not wait for each
-- other on its row. Not in sms_campaign_deltas: servers of the version before fold and delete rows there, and would lose
-- the clicks.

CREATE TABLE sms_click_deltas (
    campaign_id bigint NOT NULL,
    id          bigint GENERATED ALWAYS AS IDENTITY,
    clicked     bigint NOT NULL,
    cta_clicked bigint NOT NULL,
    CONSTRAINT sms_click_deltas_pkey PRIMARY KEY (campaign_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000); -- its rows live for about a second
COMMENT ON TABLE sms_click_deltas IS
    'What must be added to clicked_count and cta_clicked_count of sms_scheduled_campaigns. The transaction that records a click adds a row; the sender folds the rows into the campaigns and deletes them.';
COMMENT ON COLUMN sms_scheduled_campaigns.clicked_count IS 'Without sms_click_deltas. So is cta_clicked_count.';
