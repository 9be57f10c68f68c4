DROP TRIGGER sms_sent_messages_erase_sealed_body ON sms_sent_messages;
DROP FUNCTION erase_sealed_body();
