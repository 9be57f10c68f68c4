-- Sessions belong to members of staff, and attempts to sign in are counted by account too (D51).

ALTER TABLE admin_sessions ADD COLUMN member_id bigint;
ALTER TABLE admin_sessions ADD COLUMN password_tag bytea;
ALTER TABLE admin_sessions ADD COLUMN last_used_at timestamptz;
ALTER TABLE admin_sessions ADD COLUMN code_given_at timestamptz;
-- allow constraint: the table holds a few rows
ALTER TABLE admin_sessions ADD CONSTRAINT admin_sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES staff_members (id);
COMMENT ON COLUMN admin_sessions.member_id IS 'NULL for sessions of versions before staff had accounts; they have ended.';
COMMENT ON COLUMN admin_sessions.password_tag IS 'The SHA-256 of the password''s hash: a new password ends the session.';
COMMENT ON COLUMN admin_sessions.last_used_at IS 'To the minute.';
COMMENT ON COLUMN admin_sessions.code_given_at IS 'When a code of the second factor was last given.';

-- allow index: the table holds a few rows
CREATE INDEX admin_sessions_member_id_idx ON admin_sessions (member_id);

ALTER TABLE admin_login_failures ALTER COLUMN address DROP NOT NULL;
ALTER TABLE admin_login_failures ADD COLUMN subject bytea;
-- allow constraint: the table holds the failures of one day
ALTER TABLE admin_login_failures ADD CONSTRAINT admin_login_failures_one_subject CHECK (num_nonnulls(address, subject) = 1);
-- allow index: the table holds the failures of one day
CREATE INDEX admin_login_failures_subject_idx ON admin_login_failures (subject, at);
COMMENT ON COLUMN admin_login_failures.subject IS 'The SHA-256 of an account''s name, or of the cookie of a browser that signed in before.';

ALTER TABLE clearing_jobs ADD COLUMN member_id bigint;
COMMENT ON COLUMN clearing_jobs.member_id IS 'The member of staff who started it.';
