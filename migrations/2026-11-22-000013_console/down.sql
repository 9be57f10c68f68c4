DROP TABLE sms_replies;
ALTER TABLE sms_scheduled_campaigns DROP COLUMN created_by;
ALTER TABLE welcome_sms_templates DROP COLUMN created_by;
ALTER TABLE sms_campaign_templates DROP COLUMN created_by;
