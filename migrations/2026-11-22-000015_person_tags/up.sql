-- Person tags: the hash that binds an entrant to their number in the lists of drawings (docs/drawing.md). And the times
-- of flags and of ledger rows, which decide who takes part in a drawing with what, are set by the database.
-- The next migration fills in the rows that exist and makes person_tag NOT NULL.

ALTER TABLE users
    ADD COLUMN person_salt bytea,
    ADD COLUMN person_tag bytea,
    ADD CONSTRAINT users_person_salt_length CHECK (length(person_salt) = 32) NOT VALID,
    ADD CONSTRAINT users_person_tag_sha256 CHECK (length(person_tag) = 32) NOT VALID,
    ADD CONSTRAINT users_person_tag_present CHECK (person_tag IS NOT NULL) NOT VALID;
COMMENT ON COLUMN users.person_salt IS '32 random bytes; null after the person was erased';
COMMENT ON COLUMN users.person_tag IS
    'SHA-256(0x04, person_salt, the number at the time of entering as ASCII with its plus sign); never changes';

-- For whoever inserts a row without a tag: servers of the version before, and SQL scripts. Two random UUIDs have 244
-- random bits; the program makes salts of 256.
CREATE FUNCTION make_person_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.person_salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    NEW.person_tag := sha256('\x04'::bytea || NEW.person_salt || convert_to(NEW.phone_number, 'UTF8'));
    RETURN NEW;
END
$$;

CREATE TRIGGER users_make_person_tag BEFORE INSERT ON users
    FOR EACH ROW WHEN (NEW.person_tag IS NULL) EXECUTE FUNCTION make_person_tag();

-- So that a row can change before it is filled in: the constraint above holds for every change. The next migration
-- drops this trigger.
CREATE TRIGGER users_fill_person_tag BEFORE UPDATE ON users
    FOR EACH ROW WHEN (OLD.person_tag IS NULL AND NEW.person_tag IS NULL) EXECUTE FUNCTION make_person_tag();

CREATE FUNCTION keep_person_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'person_tag never changes, and person_salt only becomes null' USING ERRCODE = 'restrict_violation';
END
$$;

-- AFTER, because foreign keys read the old row after each update anyway, and a BEFORE trigger would lock it once more.
CREATE TRIGGER users_keep_person_tag AFTER UPDATE ON users
    FOR EACH ROW WHEN (
        OLD.person_tag IS NOT NULL
        AND (NEW.person_tag IS DISTINCT FROM OLD.person_tag
             OR (NEW.person_salt IS NOT NULL AND NEW.person_salt IS DISTINCT FROM OLD.person_salt))
    ) EXECUTE FUNCTION keep_person_tag();

-- Overwrites what was passed instead of refusing it: servers of the version before pass a time. One statement's flags
-- have one time.
CREATE FUNCTION set_flag_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.is_flagged THEN
        NEW.flagged_at := OLD.flagged_at;
    ELSE
        NEW.flagged_at := statement_timestamp();
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER users_set_flag_time_on_insert BEFORE INSERT ON users
    FOR EACH ROW WHEN (NEW.is_flagged) EXECUTE FUNCTION set_flag_time();

CREATE TRIGGER users_set_flag_time_on_update BEFORE UPDATE ON users
    FOR EACH ROW WHEN (NEW.is_flagged AND (NOT OLD.is_flagged OR NEW.flagged_at IS DISTINCT FROM OLD.flagged_at))
    EXECUTE FUNCTION set_flag_time();

-- The time is taken after the statement has locked the table. So whoever sees, after a moment, that nobody holds that
-- lock any more knows all rows from before that moment.
CREATE FUNCTION set_ledger_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.created_at := clock_timestamp();
    RETURN NEW;
END
$$;

CREATE TRIGGER entry_ledger_set_time BEFORE INSERT ON entry_ledger
    FOR EACH ROW EXECUTE FUNCTION set_ledger_time();
