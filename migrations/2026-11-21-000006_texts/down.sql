DELETE FROM system_settings WHERE key = 'sms_credentials';
DROP TABLE sms_dispatcher;
DROP TABLE sms_monthly_counts;
DROP TABLE sms_opt_outs;
DROP TABLE sms_click_tracking;
DROP TABLE sms_recipients;
DROP TABLE sms_scheduled_campaigns;
DROP TABLE welcome_sms_templates;
DROP TABLE sms_campaign_templates;

-- A text with an unknown outcome becomes `sending`, so that it is not sent again.
DELETE FROM sms_sent_messages WHERE kind <> 'victory';
UPDATE sms_sent_messages SET status = 'sending' WHERE status = 'unknown';
DROP INDEX sms_sent_messages_reasons_idx, sms_sent_messages_doubtful_idx, sms_sent_messages_pending_idx,
    sms_sent_messages_campaign_id_idx, sms_sent_messages_tracking_id_key;
ALTER TABLE sms_sent_messages
    DROP CONSTRAINT sms_sent_messages_campaign_whose,
    DROP CONSTRAINT sms_sent_messages_kind_known,
    DROP CONSTRAINT sms_sent_messages_status_known,
    ADD CONSTRAINT sms_sent_messages_kind_known CHECK (kind IN ('victory')),
    ADD CONSTRAINT sms_sent_messages_status_known
        CHECK (status IN ('pending', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'skipped')),
    ADD CONSTRAINT sms_sent_messages_tracking_id_key UNIQUE (tracking_id),
    ADD CONSTRAINT sms_sent_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
    ALTER COLUMN message_body SET NOT NULL,
    DROP COLUMN attempt,
    DROP COLUMN due_at;
