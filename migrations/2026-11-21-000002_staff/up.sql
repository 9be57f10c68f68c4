-- Staff: sessions of the console, failed sign-ins, and the audit log.

CREATE TABLE admin_sessions (
    id            bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT admin_sessions_pkey PRIMARY KEY,
    session_token text NOT NULL -- the SHA-256 of the token, so that nobody can sign in with the contents of this table
        CONSTRAINT admin_sessions_session_token_hash CHECK (session_token ~ '^[0-9a-f]{64}$'),
    ip_address    inet,
    user_agent    text,
    expires_at    timestamptz NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT admin_sessions_session_token_key UNIQUE (session_token),
    CONSTRAINT admin_sessions_expires_later CHECK (expires_at > created_at)
);

-- Sign-in attempts that failed or have not finished yet.
CREATE TABLE admin_login_failures (
    id      bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT admin_login_failures_pkey PRIMARY KEY,
    address inet NOT NULL, -- an IPv4 address, or the first address of an IPv6 /64 network
    at      timestamptz NOT NULL
);

CREATE INDEX admin_login_failures_address_idx ON admin_login_failures (address, at);
CREATE INDEX admin_login_failures_at_idx ON admin_login_failures (at);

CREATE TABLE admin_audit_log (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT admin_audit_log_pkey PRIMARY KEY,
    session_id bigint NOT NULL, -- no foreign key: sessions are deleted, the log is kept
    action     text NOT NULL CONSTRAINT admin_audit_log_action_short CHECK (length(action) BETWEEN 1 AND 64),
    target     text CONSTRAINT admin_audit_log_target_short CHECK (length(target) <= 256),
    details    jsonb NOT NULL CONSTRAINT admin_audit_log_details_object CHECK (jsonb_typeof(details) = 'object'),
    ip_address inet,
    created_at timestamptz NOT NULL
);

COMMENT ON TABLE admin_audit_log IS 'Append-only.';

CREATE INDEX admin_audit_log_action_idx ON admin_audit_log (action, id DESC);

CREATE TRIGGER admin_audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
