-- Whoever was erased cannot be brought back: the version before needs numbers.
DO $$
BEGIN
    IF EXISTS (SELECT FROM users WHERE erased_at IS NOT NULL) THEN
        RAISE EXCEPTION 'somebody was erased';
    END IF;
END
$$;
DROP TABLE inherited_entries;
DROP TABLE erased_numbers;

DROP TRIGGER admin_audit_log_only_erased ON admin_audit_log;
DROP TRIGGER admin_audit_log_append_only ON admin_audit_log;
CREATE TRIGGER admin_audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
DROP TRIGGER winner_verification_events_only_erased ON winner_verification_events;
DROP TRIGGER winner_verification_events_append_only ON winner_verification_events;
CREATE TRIGGER winner_verification_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON winner_verification_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
DROP TRIGGER drawing_results_only_erased ON drawing_results;
DROP TRIGGER drawing_results_append_only ON drawing_results;
CREATE TRIGGER drawing_results_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_results
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE drawing_results ALTER COLUMN winner_phone_number SET NOT NULL;

DROP TRIGGER sms_sent_messages_erase ON sms_sent_messages;
DROP FUNCTION erase_ended_text();
ALTER TABLE sms_sent_messages
    DROP CONSTRAINT sms_sent_messages_number_until_erased,
    DROP COLUMN is_erased,
    ALTER COLUMN phone_number SET NOT NULL;
ALTER TABLE sms_click_tracking ALTER COLUMN user_phone_number SET NOT NULL;
ALTER TABLE referrals ALTER COLUMN referred_phone_number SET NOT NULL;
ALTER TABLE users
    DROP CONSTRAINT users_erased_whole,
    DROP CONSTRAINT users_number_until_erased,
    DROP COLUMN erased_at,
    ALTER COLUMN phone_number SET NOT NULL;
