-- The audit log is a hash chain (D53). A trigger chains every row, so that servers of the version before, which do not know
-- the chain, are in it too. `crates/staff/src/audit_chain.rs` computes the same hashes.
--
-- What staff wrote about somebody is erased with the person (2026-11-23-000079_erasure). So a row's hash covers a salted
-- hash of that, and the salt is erased with it: then nobody can find by trying what was written.

-- allow constraint: the table is small, and the rows are filled in below
ALTER TABLE admin_audit_log
    ADD COLUMN member_id bigint,
    ADD COLUMN position bigint,
    ADD COLUMN note_salt bytea CONSTRAINT admin_audit_log_note_salt_length CHECK (length(note_salt) = 32),
    ADD COLUMN note_hash bytea CONSTRAINT admin_audit_log_note_hash_sha256 CHECK (length(note_hash) = 32),
    ADD COLUMN previous_hash bytea CONSTRAINT admin_audit_log_previous_hash_sha256 CHECK (length(previous_hash) = 32),
    ADD COLUMN hash bytea CONSTRAINT admin_audit_log_hash_sha256 CHECK (length(hash) = 32);
COMMENT ON COLUMN admin_audit_log.member_id IS 'The member of staff; no foreign key: the log outlives the account';
COMMENT ON COLUMN admin_audit_log.position IS
    'The place in the chain, from 1, without gaps. Ids from before the chain have gaps; later ones have none.';
COMMENT ON COLUMN admin_audit_log.note_salt IS '32 random bytes, if staff wrote something; null after it was erased';
COMMENT ON COLUMN admin_audit_log.note_hash IS 'The SHA-256 of note_salt and of what staff wrote';
COMMENT ON COLUMN admin_audit_log.previous_hash IS 'The hash of the row before; 32 zero bytes in the first row';

CREATE TABLE admin_audit_head (
    is_only  boolean NOT NULL DEFAULT true CONSTRAINT admin_audit_head_pkey PRIMARY KEY
        CONSTRAINT admin_audit_head_one_row CHECK (is_only),
    last_id  bigint NOT NULL CONSTRAINT admin_audit_head_last_id_not_negative CHECK (last_id >= 0),
    position bigint NOT NULL CONSTRAINT admin_audit_head_position_not_negative CHECK (position >= 0),
    hash     bytea NOT NULL CONSTRAINT admin_audit_head_hash_sha256 CHECK (length(hash) = 32)
);
COMMENT ON TABLE admin_audit_head IS 'The end of the audit log''s chain. Whoever adds a row locks it until the transaction ends.';

-- A text with its length, so that no two sequences of texts have the same bytes.
CREATE FUNCTION audit_field(value text) RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN value IS NULL THEN '\x00'::bytea
        ELSE '\x01'::bytea || int8send(length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8')
    END
$$;

-- What staff wrote, which may be erased; null if nothing.
CREATE FUNCTION audit_note(details jsonb) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT jsonb_object_agg(key, value)::text FROM jsonb_each(details)
    WHERE key IN ('reason', 'note', 'notes', 'tags')
$$;

CREATE FUNCTION audit_hash(entry admin_audit_log) RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT sha256(
        audit_field('tombola audit log 1')
        || audit_field(encode(entry.previous_hash, 'hex'))
        || audit_field(entry.position::text)
        || audit_field(entry.id::text)
        || audit_field(entry.session_id::text)
        || audit_field(entry.member_id::text)
        || audit_field(entry.action)
        || audit_field(entry.target)
        || audit_field((entry.details - ARRAY['reason', 'note', 'notes', 'tags'])::text)
        || audit_field(encode(entry.note_hash, 'hex'))
        || audit_field(text(entry.ip_address))
        || audit_field((extract(epoch FROM entry.created_at) * 1000000)::bigint::text)
    )
$$;

-- The row with its place in the chain behind a given end.
CREATE FUNCTION audit_link(entry admin_audit_log, head admin_audit_head) RETURNS admin_audit_log
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    note text := audit_note(entry.details);
BEGIN
    entry.position := head.position + 1;
    entry.note_salt := NULL;
    entry.note_hash := NULL;
    IF note IS NOT NULL THEN
        entry.note_salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
        entry.note_hash := sha256(
            audit_field('tombola audit note 1') || audit_field(encode(entry.note_salt, 'hex')) || audit_field(note)
        );
    END IF;
    entry.previous_hash := head.hash;
    entry.hash := audit_hash(entry);
    RETURN entry;
END
$$;

-- The rows that exist keep their ids. They are chained in the order of these.
ALTER TABLE admin_audit_log DISABLE TRIGGER USER;
DO $$
DECLARE
    entry admin_audit_log;
    head admin_audit_head := ROW(true, 0, 0, decode(repeat('00', 32), 'hex'));
BEGIN
    FOR entry IN SELECT * FROM admin_audit_log ORDER BY id LOOP
        entry := audit_link(entry, head);
        UPDATE admin_audit_log AS stored
        SET position = entry.position, note_salt = entry.note_salt, note_hash = entry.note_hash,
            previous_hash = entry.previous_hash, hash = entry.hash
        WHERE stored.id = entry.id;
        head := ROW(true, entry.id, entry.position, entry.hash);
    END LOOP;
    INSERT INTO admin_audit_head SELECT head.*;
END
$$;
ALTER TABLE admin_audit_log ENABLE TRIGGER USER;

-- allow constraint: the table is small, and it is locked already
ALTER TABLE admin_audit_log ADD CONSTRAINT admin_audit_log_chained
    CHECK (num_nulls(position, previous_hash, hash) = 0 AND (note_hash IS NOT NULL OR note_salt IS NULL));

-- It runs as the owner of the tables: the server's role cannot change the head.
CREATE FUNCTION chain_audit_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    head admin_audit_head;
BEGIN
    -- Under READ COMMITTED this waits for the row before and sees it; under a stricter level it fails, and the server runs
    -- the transaction again. So the chain has no fork.
    SELECT * INTO STRICT head FROM admin_audit_head FOR UPDATE;
    NEW.id := head.last_id + 1;
    NEW := audit_link(NEW, head);
    UPDATE admin_audit_head SET last_id = NEW.id, position = NEW.position, hash = NEW.hash;
    RETURN NEW;
END
$$;
CREATE TRIGGER admin_audit_log_chain BEFORE INSERT ON admin_audit_log
    FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();

-- Nothing but what staff wrote may be erased, and the salt goes with it.
-- allow drop: the next statement replaces it
DROP TRIGGER admin_audit_log_append_only ON admin_audit_log;
CREATE TRIGGER admin_audit_log_append_only BEFORE UPDATE OF
    id, session_id, action, target, ip_address, created_at, member_id, position, note_salt, note_hash, previous_hash, hash
    OR DELETE OR TRUNCATE ON admin_audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION erase_note_salt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.note_salt := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER admin_audit_log_salt BEFORE UPDATE OF details ON admin_audit_log
    FOR EACH ROW WHEN (NEW.details IS DISTINCT FROM OLD.details) EXECUTE FUNCTION erase_note_salt();
