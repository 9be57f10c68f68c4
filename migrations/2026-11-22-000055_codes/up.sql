-- Texts with one-time codes (D37), whose bodies are encrypted until they are delivered, and the texts of each day (D38).

ALTER TABLE sms_sent_messages ADD COLUMN sealed_body bytea;
COMMENT ON COLUMN sms_sent_messages.sealed_body IS
    'the encrypted body of a text that is secret; null once the text is sent or will not be';

-- allow drop: the next statement allows more
ALTER TABLE sms_sent_messages DROP CONSTRAINT sms_sent_messages_kind_known;
-- The next migration validates them.
ALTER TABLE sms_sent_messages
    ADD CONSTRAINT sms_sent_messages_kind_known CHECK (kind IN ('code', 'welcome', 'victory', 'test', 'campaign')) NOT VALID,
    ADD CONSTRAINT sms_sent_messages_codes_sealed CHECK (kind <> 'code' OR message_body IS NULL) NOT VALID;

CREATE TABLE sms_daily_counts (
    day   date NOT NULL CONSTRAINT sms_daily_counts_pkey PRIMARY KEY,
    texts bigint NOT NULL CONSTRAINT sms_daily_counts_texts_positive CHECK (texts > 0)
);
COMMENT ON TABLE sms_daily_counts IS 'How many texts count toward the budget of each day, in UTC; campaign texts do not.';
