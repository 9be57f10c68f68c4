-- Staff: accounts, sessions and attempts to sign in, proposals, the audit log, and clearings of data.

-- Accounts with roles, second factors and recovery codes.
CREATE TABLE staff_members (
    id                    bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT staff_members_pkey PRIMARY KEY,
    name                  text NOT NULL CONSTRAINT staff_members_name_plain CHECK (length(name) <= 256 AND name ~ '^[a-z0-9._-]+$'),
    role                  text NOT NULL
        CONSTRAINT staff_members_role_known CHECK (role IN ('owner', 'manager', 'support', 'viewer')),
    state                 text NOT NULL
        CONSTRAINT staff_members_state_known CHECK (state IN ('invited', 'active', 'disabled')),
    environment           boolean NOT NULL DEFAULT false,
    password_hash         text,
    invitation_token      bytea CONSTRAINT staff_members_invitation_token_length CHECK (length(invitation_token) = 32),
    invitation_expires_at timestamptz,
    totp_secret           bytea,
    totp_confirmed        boolean NOT NULL DEFAULT false,
    totp_last_step        bigint,
    codes_failed          integer NOT NULL DEFAULT 0
        CONSTRAINT staff_members_codes_failed_positive CHECK (codes_failed >= 0),
    codes_failed_since    timestamptz,
    codes_locked_until    timestamptz,
    active_since          timestamptz,
    last_sign_in_at       timestamptz,
    created_at            timestamptz NOT NULL,
    CONSTRAINT staff_members_invitation_whole CHECK ((invitation_token IS NULL) = (invitation_expires_at IS NULL)),
    CONSTRAINT staff_members_totp_whole CHECK (totp_secret IS NOT NULL OR NOT totp_confirmed AND totp_last_step IS NULL),
    CONSTRAINT staff_members_environment_password CHECK (NOT environment OR password_hash IS NULL)
);
COMMENT ON TABLE staff_members IS 'Who may use the console.';
COMMENT ON COLUMN staff_members.environment IS 'ADMIN_USERNAME and ADMIN_PASSWORD_HASH hold the name and the password.';
COMMENT ON COLUMN staff_members.password_hash IS 'Argon2id, as a PHC string.';
COMMENT ON COLUMN staff_members.invitation_token IS 'The SHA-256 of the token in the link.';
COMMENT ON COLUMN staff_members.totp_secret IS 'Sealed.';
COMMENT ON COLUMN staff_members.totp_confirmed IS 'False until a code has shown that the app has the secret.';

CREATE UNIQUE INDEX staff_members_name_key ON staff_members (name);
CREATE UNIQUE INDEX staff_members_environment_key ON staff_members (environment) WHERE environment;
CREATE UNIQUE INDEX staff_members_invitation_token_key ON staff_members (invitation_token);

CREATE TABLE staff_recovery_codes (
    member_id bigint NOT NULL CONSTRAINT staff_recovery_codes_member_id_fkey REFERENCES staff_members (id),
    code_hash bytea NOT NULL CONSTRAINT staff_recovery_codes_code_hash_length CHECK (length(code_hash) = 32),
    CONSTRAINT staff_recovery_codes_pkey PRIMARY KEY (member_id, code_hash)
);
COMMENT ON TABLE staff_recovery_codes IS 'Codes that take the place of one code of a lost phone each. A used one is deleted.';

-- Attempts to sign in are counted by account too.
CREATE TABLE admin_sessions (
    id            bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT admin_sessions_pkey PRIMARY KEY,
    session_token text NOT NULL -- the SHA-256 of the token, so that nobody can sign in with the contents of this table
        CONSTRAINT admin_sessions_session_token_key UNIQUE
        CONSTRAINT admin_sessions_session_token_hash CHECK (session_token ~ '^[0-9a-f]{64}$'),
    member_id     bigint NOT NULL CONSTRAINT admin_sessions_member_id_fkey REFERENCES staff_members (id),
    password_tag  bytea NOT NULL,
    ip_address    inet,
    user_agent    text,
    last_used_at  timestamptz NOT NULL,
    code_given_at timestamptz,
    expires_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT admin_sessions_expires_later CHECK (expires_at > created_at)
);
COMMENT ON COLUMN admin_sessions.password_tag IS 'The SHA-256 of the password''s hash: a new password ends the session.';
COMMENT ON COLUMN admin_sessions.last_used_at IS 'To the minute.';
COMMENT ON COLUMN admin_sessions.code_given_at IS 'When a code of the second factor was last given.';

CREATE INDEX admin_sessions_member_id_idx ON admin_sessions (member_id);

-- Sign-in attempts that failed or have not finished yet.
CREATE TABLE admin_login_failures (
    id      bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT admin_login_failures_pkey PRIMARY KEY,
    address inet, -- an IPv4 address, or the first address of an IPv6 /64 network
    subject bytea,
    at      timestamptz NOT NULL,
    CONSTRAINT admin_login_failures_one_subject CHECK (num_nonnulls(address, subject) = 1)
);
COMMENT ON COLUMN admin_login_failures.subject IS 'The SHA-256 of an account''s name, or of the cookie of a browser that signed in before.';

CREATE INDEX admin_login_failures_address_idx ON admin_login_failures (address, at);
CREATE INDEX admin_login_failures_subject_idx ON admin_login_failures (subject, at);
CREATE INDEX admin_login_failures_at_idx ON admin_login_failures (at);

-- What one member of staff proposes and another one approves.
CREATE TABLE staff_approvals (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT staff_approvals_pkey PRIMARY KEY,
    kind        text NOT NULL CONSTRAINT staff_approvals_kind_known CHECK (kind IN (
        'invite_member', 'change_member', 'reinvite_member', 'clear_analytics', 'clear_referrals', 'clear_campaigns',
        'clear_sms', 'save_credentials', 'show_packages', 'approve_claim', 'reject_claim', 'confirm_number',
        'erase_winner', 'perform_drawing', 'void_drawing', 'publish_raffle', 'open_raffle', 'close_raffle',
        'import_people'
    )),
    target      text,
    summary     text NOT NULL,
    arguments   jsonb NOT NULL CONSTRAINT staff_approvals_arguments_array CHECK (jsonb_typeof(arguments) = 'array'),
    note        text,
    sealed      bytea,
    proposed_by bigint NOT NULL CONSTRAINT staff_approvals_proposed_by_fkey REFERENCES staff_members (id),
    proposed_at timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    status      text NOT NULL DEFAULT 'open'
        CONSTRAINT staff_approvals_status_known CHECK (status IN ('open', 'approved', 'rejected', 'failed')),
    decided_by  bigint CONSTRAINT staff_approvals_decided_by_fkey REFERENCES staff_members (id),
    decided_at  timestamptz,
    error       text,
    completed_at    timestamptz, -- when whoever proposed it did what was left: saw what is shown once, or sent the file
    CONSTRAINT staff_approvals_completed_of_approved CHECK (status = 'approved' OR completed_at IS NULL),
    CONSTRAINT staff_approvals_decided_whole CHECK ((status = 'open') = (decided_at IS NULL)),
    CONSTRAINT staff_approvals_open_has_no_decision CHECK (status <> 'open' OR num_nonnulls(decided_by, error) = 0),
    CONSTRAINT staff_approvals_secrets_of_open CHECK (status = 'open' OR sealed IS NULL)
);
COMMENT ON TABLE staff_approvals IS 'Proposals, and what became of them. None is ever deleted.';
COMMENT ON COLUMN staff_approvals.arguments IS 'The exact arguments of the call, as [name, value] in their order, without secrets and the note';
COMMENT ON COLUMN staff_approvals.note IS 'What staff write to or about a winner; null after the person was erased';
COMMENT ON COLUMN staff_approvals.sealed IS 'Encrypted secrets among the arguments, until the decision';
COMMENT ON COLUMN staff_approvals.decided_by IS 'Null also for the operator, who approved it on the server';

CREATE INDEX staff_approvals_open_idx ON staff_approvals (expires_at) WHERE status = 'open';

-- What was proposed stays as it was, and a decision stands. Only the note may be erased afterwards.
CREATE FUNCTION keep_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'proposals and decisions are kept as they are';
END
$$;
CREATE TRIGGER staff_approvals_proposed BEFORE UPDATE OF
    id, kind, target, summary, arguments, proposed_by, proposed_at, expires_at OR DELETE OR TRUNCATE ON staff_approvals
    FOR EACH STATEMENT EXECUTE FUNCTION keep_proposal();
CREATE TRIGGER staff_approvals_decided BEFORE UPDATE OF status, decided_by, decided_at, error, sealed ON staff_approvals
    FOR EACH ROW WHEN (OLD.status <> 'open') EXECUTE FUNCTION keep_proposal();

-- ---- the audit log ----

-- The audit log is a hash chain. A trigger chains every row, whoever adds it. `audit_chain.rs` of the domain `staff` computes
-- the same hashes.
--
-- What staff wrote about somebody is erased with the person. So a row's hash covers a salted hash of that, and the salt is erased
-- with it: then nobody can find by trying what was written.
CREATE TABLE admin_audit_log (
    id            bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT admin_audit_log_pkey PRIMARY KEY,
    position      bigint,
    session_id    bigint NOT NULL, -- no foreign key: sessions are deleted, the log is kept
    member_id     bigint,
    action        text NOT NULL CONSTRAINT admin_audit_log_action_short CHECK (length(action) BETWEEN 1 AND 64),
    target        text CONSTRAINT admin_audit_log_target_short CHECK (length(target) <= 256),
    details       jsonb NOT NULL CONSTRAINT admin_audit_log_details_object CHECK (jsonb_typeof(details) = 'object'),
    ip_address    inet,
    created_at    timestamptz NOT NULL,
    note_salt     bytea CONSTRAINT admin_audit_log_note_salt_length CHECK (length(note_salt) = 32),
    note_hash     bytea CONSTRAINT admin_audit_log_note_hash_sha256 CHECK (length(note_hash) = 32),
    previous_hash bytea CONSTRAINT admin_audit_log_previous_hash_sha256 CHECK (length(previous_hash) = 32),
    hash          bytea CONSTRAINT admin_audit_log_hash_sha256 CHECK (length(hash) = 32),
    CONSTRAINT admin_audit_log_chained
        CHECK (num_nulls(position, previous_hash, hash) = 0 AND (note_hash IS NOT NULL OR note_salt IS NULL))
);
COMMENT ON TABLE admin_audit_log IS 'Append-only.';
COMMENT ON COLUMN admin_audit_log.position IS 'The place in the chain, from 1, without gaps';
COMMENT ON COLUMN admin_audit_log.member_id IS 'The member of staff; no foreign key: the log outlives the account';
COMMENT ON COLUMN admin_audit_log.note_salt IS '32 random bytes, if staff wrote something; null after it was erased';
COMMENT ON COLUMN admin_audit_log.note_hash IS 'The SHA-256 of note_salt and of what staff wrote';
COMMENT ON COLUMN admin_audit_log.previous_hash IS 'The hash of the row before; 32 zero bytes in the first row';

CREATE INDEX admin_audit_log_action_idx ON admin_audit_log (action, id DESC);

-- Nothing but what staff wrote may be erased, and the salt goes with it.
CREATE TRIGGER admin_audit_log_append_only BEFORE UPDATE OF
    id, session_id, action, target, ip_address, created_at, member_id, position, note_salt, note_hash, previous_hash, hash
    OR DELETE OR TRUNCATE ON admin_audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER admin_audit_log_only_erased BEFORE UPDATE OF details ON admin_audit_log
    FOR EACH ROW WHEN (NEW.details IS DISTINCT FROM OLD.details - ARRAY['reason', 'note', 'notes', 'tags'])
    EXECUTE FUNCTION refuse_change();

CREATE FUNCTION erase_note_salt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.note_salt := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER admin_audit_log_salt BEFORE UPDATE OF details ON admin_audit_log
    FOR EACH ROW WHEN (NEW.details IS DISTINCT FROM OLD.details) EXECUTE FUNCTION erase_note_salt();

CREATE TABLE admin_audit_head (
    is_only  boolean DEFAULT true CONSTRAINT admin_audit_head_pkey PRIMARY KEY
        CONSTRAINT admin_audit_head_one_row CHECK (is_only),
    last_id  bigint NOT NULL CONSTRAINT admin_audit_head_last_id_not_negative CHECK (last_id >= 0),
    position bigint NOT NULL CONSTRAINT admin_audit_head_position_not_negative CHECK (position >= 0),
    hash     bytea NOT NULL CONSTRAINT admin_audit_head_hash_sha256 CHECK (length(hash) = 32)
);
COMMENT ON TABLE admin_audit_head IS 'The end of the audit log''s chain. Whoever adds a row locks it until the transaction ends.';
INSERT INTO admin_audit_head (last_id, position, hash) VALUES (0, 0, decode(repeat('00', 32), 'hex'));

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

-- ---- clearings ----

CREATE TABLE clearing_jobs (
    id          bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT clearing_jobs_pkey PRIMARY KEY,
    kind        text NOT NULL CONSTRAINT clearing_jobs_kind_known
        CHECK (kind IN ('clear_analytics', 'clear_referrals', 'clear_campaigns', 'clear_sms')),
    state       text NOT NULL DEFAULT 'running'
        CONSTRAINT clearing_jobs_state_known CHECK (state IN ('running', 'completed', 'failed')),
    session_id  bigint NOT NULL, -- no foreign key: sessions are deleted, jobs are kept
    member_id   bigint,
    ip_address  inet,
    total       jsonb, -- how much there was to delete, by name; null until it was counted
    deleted     jsonb NOT NULL DEFAULT '{}', -- how much has been deleted, by name
    bound_id    bigint,
    group_id    bigint,
    after_id    bigint,
    attempts    integer NOT NULL DEFAULT 0 CONSTRAINT clearing_jobs_attempts_positive CHECK (attempts >= 0),
    error_code  text CONSTRAINT clearing_jobs_error_code_known CHECK (error_code IN ('busy', 'store_failed')),
    started_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT clearing_jobs_finished_when CHECK ((state = 'running') = (finished_at IS NULL)),
    CONSTRAINT clearing_jobs_error_when CHECK ((state = 'failed') = (error_code IS NOT NULL)),
    CONSTRAINT clearing_jobs_position_whole CHECK (num_nulls(bound_id, group_id, after_id) IN (0, 3))
);
COMMENT ON TABLE clearing_jobs IS 'Clearings of data. Each deletes in batches and writes how far it has come here, in the same transactions.';
COMMENT ON COLUMN clearing_jobs.session_id IS 'The staff session that started it, for the audit log';
COMMENT ON COLUMN clearing_jobs.member_id IS 'The member of staff who started it.';
COMMENT ON COLUMN clearing_jobs.bound_id IS
    'Nothing newer than this is deleted; null before deleting begins. clear_referrals: the last row of the ledger; texts: the last campaign';
COMMENT ON COLUMN clearing_jobs.group_id IS 'clear_referrals: the number of the clearing in the ledger; texts: the campaign of the last deleted text';
COMMENT ON COLUMN clearing_jobs.after_id IS 'clear_referrals: the last entrant whose entries were taken; texts: the last deleted text';
COMMENT ON COLUMN clearing_jobs.attempts IS 'Failed attempts since the last progress';
COMMENT ON COLUMN clearing_jobs.updated_at IS 'The last progress or attempt. A server that stops leaves this behind, and another one continues';

CREATE UNIQUE INDEX clearing_jobs_running_key ON clearing_jobs (kind) WHERE state = 'running';

CREATE TABLE start_settings (
    name  text CONSTRAINT start_settings_pkey PRIMARY KEY,
    value text NOT NULL
);
COMMENT ON TABLE start_settings IS 'The settings of the last start that decide who may do what alone. A change is in the audit log.';
