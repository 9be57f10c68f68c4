-- Erases a secret body once its text is sent or will not be. A trigger does it, because servers of the version before do not
-- know the column.
CREATE FUNCTION erase_sealed_body() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.sealed_body := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER sms_sent_messages_erase_sealed_body BEFORE UPDATE OF status ON sms_sent_messages
    FOR EACH ROW WHEN (NEW.sealed_body IS NOT NULL AND NEW.status NOT IN ('pending', 'sending', 'unknown'))
    EXECUTE FUNCTION erase_sealed_body();
