ALTER TABLE sms_scheduled_campaigns DROP COLUMN consent_basis;
ALTER TABLE sms_sent_messages DROP COLUMN consent_id;
COMMENT ON COLUMN user_consent.revoked_at IS NULL;
UPDATE user_consent SET act = 'form' WHERE act IN ('switch', 'start_keyword');
ALTER TABLE user_consent DROP CONSTRAINT user_consent_act_known;
ALTER TABLE user_consent ADD CONSTRAINT user_consent_act_known CHECK (act IN ('form', 'default'));
