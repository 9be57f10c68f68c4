DROP TRIGGER users_keep_person_tag ON users;
DROP TRIGGER users_fill_person_tag ON users;
DROP TRIGGER users_make_person_tag ON users;
DROP FUNCTION keep_person_tag();
DROP FUNCTION make_person_tag();
ALTER TABLE users
    DROP COLUMN person_salt,
    DROP COLUMN person_tag;
