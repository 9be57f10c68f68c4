DROP TABLE sms_daily_counts;
DELETE FROM sms_sent_messages WHERE kind = 'code';
ALTER TABLE sms_sent_messages DROP CONSTRAINT sms_sent_messages_kind_known, DROP CONSTRAINT sms_sent_messages_codes_sealed;
ALTER TABLE sms_sent_messages
    ADD CONSTRAINT sms_sent_messages_kind_known CHECK (kind IN ('welcome', 'victory', 'test', 'campaign')) NOT VALID;
ALTER TABLE sms_sent_messages DROP COLUMN sealed_body;
