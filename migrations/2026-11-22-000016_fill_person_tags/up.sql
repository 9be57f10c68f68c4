-- Gives every entrant a tag, in batches of a few thousand that are committed one by one, so that no row stays locked
-- for long. Only a single statement outside of a transaction may commit, so this is one block. It can run again after
-- it was interrupted.
DO $$
DECLARE
    filled bigint := (SELECT min(id) - 1 FROM users);
    newest bigint := (SELECT max(id) FROM users); -- later rows have tags
BEGIN
    WHILE filled < newest LOOP
        -- The trigger users_fill_person_tag makes the tags.
        UPDATE users SET person_tag = NULL
        WHERE id > filled AND id <= filled + 5000 AND person_tag IS NULL;
        filled := filled + 5000;
        COMMIT;
    END LOOP;

    IF EXISTS (SELECT FROM pg_constraint WHERE conname = 'users_person_tag_present') THEN
        -- Reads the table without stopping writers. SET NOT NULL relies on it and reads nothing.
        ALTER TABLE users
            VALIDATE CONSTRAINT users_person_salt_length,
            VALIDATE CONSTRAINT users_person_tag_sha256,
            VALIDATE CONSTRAINT users_person_tag_present;
        COMMIT;
        ALTER TABLE users ALTER COLUMN person_tag SET NOT NULL;
        ALTER TABLE users DROP CONSTRAINT users_person_tag_present;
        DROP TRIGGER users_fill_person_tag ON users;
    END IF;
END
$$;
