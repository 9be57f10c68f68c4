ALTER TABLE users
    ALTER COLUMN person_tag DROP NOT NULL,
    ADD CONSTRAINT users_person_tag_present CHECK (person_tag IS NOT NULL) NOT VALID;
CREATE TRIGGER users_fill_person_tag BEFORE UPDATE ON users
    FOR EACH ROW WHEN (OLD.person_tag IS NULL AND NEW.person_tag IS NULL) EXECUTE FUNCTION make_person_tag();
