DROP TRIGGER entry_ledger_set_time ON entry_ledger;
DROP FUNCTION set_ledger_time();
DROP TRIGGER users_set_flag_time_on_update ON users;
DROP TRIGGER users_set_flag_time_on_insert ON users;
DROP FUNCTION set_flag_time();
DROP TRIGGER users_keep_person_tag ON users;
DROP TRIGGER users_fill_person_tag ON users;
DROP TRIGGER users_make_person_tag ON users;
DROP FUNCTION keep_person_tag();
DROP FUNCTION make_person_tag();
ALTER TABLE users
    DROP COLUMN person_salt,
    DROP COLUMN person_tag;
