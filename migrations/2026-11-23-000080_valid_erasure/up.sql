-- Reads the rows without stopping writers. Nobody was erased before the constraints were added.
ALTER TABLE users VALIDATE CONSTRAINT users_number_until_erased, VALIDATE CONSTRAINT users_erased_whole;
ALTER TABLE sms_sent_messages VALIDATE CONSTRAINT sms_sent_messages_number_until_erased;
