-- The console: who wrote templates and campaigns, and the replies to texts.

ALTER TABLE sms_campaign_templates
    ADD COLUMN created_by text
        CONSTRAINT sms_campaign_templates_created_by_line CHECK (length(created_by) BETWEEN 1 AND 256);
ALTER TABLE welcome_sms_templates
    ADD COLUMN created_by text
        CONSTRAINT welcome_sms_templates_created_by_line CHECK (length(created_by) BETWEEN 1 AND 256);
ALTER TABLE sms_scheduled_campaigns
    ADD COLUMN created_by text
        CONSTRAINT sms_scheduled_campaigns_created_by_line CHECK (length(created_by) BETWEEN 1 AND 256);
COMMENT ON COLUMN sms_campaign_templates.created_by IS 'The name of the member of staff; null before this column existed.';
COMMENT ON COLUMN welcome_sms_templates.created_by IS 'The name of the member of staff; null before this column existed.';
COMMENT ON COLUMN sms_scheduled_campaigns.created_by IS 'The name of the member of staff; null before this column existed.';

-- Messages have had no check for control characters; they would be refused when they are read. Each becomes
-- a question mark.
UPDATE sms_campaign_templates
SET message_template = regexp_replace(message_template, '[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]', '?', 'g')
WHERE message_template ~ '[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]';
UPDATE welcome_sms_templates
SET message_template = regexp_replace(message_template, '[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]', '?', 'g')
WHERE message_template ~ '[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]';
UPDATE sms_scheduled_campaigns
SET message_template = regexp_replace(message_template, '[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]', '?', 'g')
WHERE message_template ~ '[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]';

-- The messages that people sent to our number. Clearing SMS data deletes them.
CREATE TABLE sms_replies (
    id                  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_replies_pkey PRIMARY KEY,
    provider_message_id text NOT NULL, -- the provider repeats a call until it is acknowledged
    user_id             bigint -- the entrant with this number when it arrived
        CONSTRAINT sms_replies_user_id_fkey REFERENCES users (id),
    phone_number        text NOT NULL,
    body                text NOT NULL CONSTRAINT sms_replies_body_bounded CHECK (length(body) <= 1600),
    keyword             text CONSTRAINT sms_replies_keyword_known CHECK (keyword IN ('stop', 'start', 'help')),
    created_at          timestamptz NOT NULL,
    CONSTRAINT sms_replies_provider_message_id_key UNIQUE (provider_message_id)
);
CREATE INDEX sms_replies_phone_number_idx ON sms_replies (phone_number);
CREATE INDEX sms_replies_user_id_idx ON sms_replies (user_id) WHERE user_id IS NOT NULL;
COMMENT ON TABLE sms_replies IS 'What people texted to our number, keywords included.';
COMMENT ON COLUMN sms_replies.body IS 'Without control characters, cut after 1,600 characters.';
COMMENT ON COLUMN sms_replies.keyword IS 'What the message asked for; null for any other text.';
