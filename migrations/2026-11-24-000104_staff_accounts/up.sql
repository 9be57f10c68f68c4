-- Accounts of staff, with roles, second factors and recovery codes (D49, D50).

CREATE TABLE staff_members (
    id                    bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT staff_members_pkey PRIMARY KEY,
    name                  text NOT NULL CONSTRAINT staff_members_name_short CHECK (length(name) BETWEEN 1 AND 256),
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

CREATE UNIQUE INDEX staff_members_name_key ON staff_members (lower(name));
CREATE UNIQUE INDEX staff_members_environment_key ON staff_members (environment) WHERE environment;
CREATE UNIQUE INDEX staff_members_invitation_token_key ON staff_members (invitation_token);

CREATE TABLE staff_recovery_codes (
    member_id bigint NOT NULL CONSTRAINT staff_recovery_codes_member_id_fkey REFERENCES staff_members (id),
    code_hash bytea NOT NULL CONSTRAINT staff_recovery_codes_code_hash_length CHECK (length(code_hash) = 32),
    CONSTRAINT staff_recovery_codes_pkey PRIMARY KEY (member_id, code_hash)
);
COMMENT ON TABLE staff_recovery_codes IS 'Codes that take the place of one code of a lost phone each. A used one is deleted.';
