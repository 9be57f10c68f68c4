-- One-time codes that prove a phone number.

CREATE TABLE verifications (
    id           bytea CONSTRAINT verifications_pkey PRIMARY KEY
        CONSTRAINT verifications_id_length CHECK (length(id) = 16),
    browser_hash bytea NOT NULL CONSTRAINT verifications_browser_hash_length CHECK (length(browser_hash) = 32),
    code_hash    bytea NOT NULL CONSTRAINT verifications_code_hash_length CHECK (length(code_hash) = 32),
    number_tag   bytea NOT NULL CONSTRAINT verifications_number_tag_length CHECK (length(number_tag) = 32),
    prefix_tag   bytea NOT NULL CONSTRAINT verifications_prefix_tag_length CHECK (length(prefix_tag) = 32),
    network      inet,
    tries        integer NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    resend_at    timestamptz NOT NULL,
    completed_at timestamptz,
    user_id      bigint,
    sign_up      jsonb
);
COMMENT ON TABLE verifications IS 'Sign-ups that wait for a code, and for a day what limits count of them.';
COMMENT ON COLUMN verifications.browser_hash IS 'SHA-256 of the secret in the browser''s cookie';
COMMENT ON COLUMN verifications.code_hash IS 'HMAC of the code that was sent last; no code is stored';
COMMENT ON COLUMN verifications.number_tag IS 'HMAC of the number; prefix_tag: of the number without its last four digits';
COMMENT ON COLUMN verifications.network IS 'the network that asked: an IPv4 address, or the first address of an IPv6 /64';
COMMENT ON COLUMN verifications.user_id IS 'the entrant, once the sign-up is completed';
COMMENT ON COLUMN verifications.sign_up IS 'what the form said; null once the sign-up is completed or the code has expired';

CREATE INDEX verifications_number_idx ON verifications (number_tag, created_at);
CREATE INDEX verifications_prefix_idx ON verifications (prefix_tag, created_at) WHERE completed_at IS NULL;
CREATE INDEX verifications_created_idx ON verifications (created_at);
CREATE INDEX verifications_pending_idx ON verifications (expires_at) WHERE sign_up IS NOT NULL;

CREATE TABLE verification_codes (
    id              bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT verification_codes_pkey PRIMARY KEY,
    verification_id bytea NOT NULL CONSTRAINT verification_codes_verification_id_fkey
        REFERENCES verifications (id) ON DELETE CASCADE,
    number_tag      bytea NOT NULL,
    network         inet,
    sent_at         timestamptz NOT NULL
);
COMMENT ON TABLE verification_codes IS 'Codes that were sent, for the limits. The codes themselves are not stored.';

CREATE INDEX verification_codes_verification_idx ON verification_codes (verification_id);
CREATE INDEX verification_codes_number_idx ON verification_codes (number_tag, sent_at);
CREATE INDEX verification_codes_network_idx ON verification_codes (network, sent_at);
