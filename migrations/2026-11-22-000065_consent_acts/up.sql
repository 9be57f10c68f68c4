-- Consents by the switch on an entrant's page and by START, and what allowed each campaign text (D42).

-- allow drop: the next statement allows more
ALTER TABLE user_consent DROP CONSTRAINT user_consent_act_known;
-- The next migration validates it.
ALTER TABLE user_consent
    ADD CONSTRAINT user_consent_act_known CHECK (act IN ('form', 'default', 'switch', 'start_keyword')) NOT VALID;
COMMENT ON COLUMN user_consent.revoked_at IS 'when a text that said STOP revoked it';

ALTER TABLE sms_sent_messages ADD COLUMN consent_id bigint;
COMMENT ON COLUMN sms_sent_messages.consent_id IS
    'the user_consent that allowed a campaign text; null if its recipient was listed and is no entrant';

ALTER TABLE sms_scheduled_campaigns ADD COLUMN consent_basis text;
ALTER TABLE sms_scheduled_campaigns
    ADD CONSTRAINT sms_scheduled_campaigns_consent_basis_line CHECK (length(consent_basis) BETWEEN 1 AND 200) NOT VALID,
    ADD CONSTRAINT sms_scheduled_campaigns_consent_basis_of_list
        CHECK (consent_basis IS NULL OR target_audience = 'custom') NOT VALID;
COMMENT ON COLUMN sms_scheduled_campaigns.consent_basis IS
    'what allows texts to the listed numbers; null for other audiences, and for lists from before bases were kept, to which '
    'neither the monthly cap nor consents apply';
