DROP TRIGGER admin_audit_log_salt ON admin_audit_log;
DROP FUNCTION erase_note_salt;
DROP TRIGGER admin_audit_log_append_only ON admin_audit_log;
CREATE TRIGGER admin_audit_log_append_only
    BEFORE UPDATE OF id, session_id, action, target, ip_address, created_at OR DELETE OR TRUNCATE ON admin_audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
DROP TRIGGER admin_audit_log_chain ON admin_audit_log;
DROP FUNCTION chain_audit_entry, audit_link, audit_hash, audit_note, audit_field;
DROP TABLE admin_audit_head;
-- Ids that the chain gave were not taken from the sequence.
SELECT setval(pg_get_serial_sequence('admin_audit_log', 'id'), max(id)) FROM admin_audit_log HAVING max(id) IS NOT NULL;
ALTER TABLE admin_audit_log
    DROP CONSTRAINT admin_audit_log_chained,
    DROP COLUMN member_id,
    DROP COLUMN position,
    DROP COLUMN note_salt,
    DROP COLUMN note_hash,
    DROP COLUMN previous_hash,
    DROP COLUMN hash;
