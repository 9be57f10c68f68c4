-- Changes of campaigns' counts as rows of their own, so that the reports of one campaign's messages do not wait for each
-- other on its row.

CREATE TABLE sms_campaign_deltas (
    campaign_id bigint NOT NULL,
    id          bigint GENERATED ALWAYS AS IDENTITY,
    open        bigint NOT NULL,
    sent        bigint NOT NULL,
    delivered   bigint NOT NULL,
    error       bigint NOT NULL,
    skipped     bigint NOT NULL,
    CONSTRAINT sms_campaign_deltas_pkey PRIMARY KEY (campaign_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000); -- its rows live for about a second
COMMENT ON TABLE sms_campaign_deltas IS
    'What must be added to the counts of sms_scheduled_campaigns. The transaction that changes a message adds a row; the sender folds the rows into the campaigns and deletes them.';
COMMENT ON COLUMN sms_campaign_deltas.id IS
    'In the order of the changes of each message. Folding in this order keeps the counts possible.';
COMMENT ON COLUMN sms_scheduled_campaigns.open_count IS
    'Recipients without a text, and texts whose delivery has not ended, without sms_campaign_deltas. So are the next four.';
