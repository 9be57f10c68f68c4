-- Finds the texts to a number that was no entrant's. Those to entrants are found by the entrant.
CREATE INDEX CONCURRENTLY IF NOT EXISTS sms_sent_messages_listed_number_idx ON sms_sent_messages (phone_number)
    WHERE user_id IS NULL AND phone_number IS NOT NULL;
