-- One-time codes that prove a phone number, and the sign-ups that wait for them.

CREATE TABLE codes (
    id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT codes_pkey PRIMARY KEY,
    purpose      text NOT NULL CONSTRAINT codes_purpose_known CHECK (purpose IN ('sign_up', 'claim', 'data_request')),
    subject      text NOT NULL,
    browser_hash bytea CONSTRAINT codes_browser_hash_length CHECK (length(browser_hash) = 32),
    number_tag   bytea NOT NULL CONSTRAINT codes_number_tag_length CHECK (length(number_tag) = 32),
    network      inet,
    is_own       boolean NOT NULL,
    code_hash    bytea NOT NULL CONSTRAINT codes_code_hash_length CHECK (length(code_hash) = 32),
    message_id   bigint NOT NULL,
    user_id      bigint,
    wrong_tries  integer NOT NULL DEFAULT 0,
    is_completed boolean NOT NULL DEFAULT false,
    sent_at      timestamptz NOT NULL
);
COMMENT ON TABLE codes IS 'Codes that were sent, for a day. The codes themselves are not stored.';
COMMENT ON COLUMN codes.subject IS 'What the code is for: sign_up: and the id in hexadecimal digits, claim: or data_request: and the id';
COMMENT ON COLUMN codes.browser_hash IS 'SHA-256 of the secret in the cookie of the browser that asked; null when staff asked';
COMMENT ON COLUMN codes.number_tag IS 'HMAC of the number';
COMMENT ON COLUMN codes.network IS 'the network that asked: an IPv4 address, or the first address of an IPv6 /64';
COMMENT ON COLUMN codes.is_own IS 'whether it counts on the share of the number''s own browsers';
COMMENT ON COLUMN codes.code_hash IS 'HMAC of the code and its subject';
COMMENT ON COLUMN codes.message_id IS 'the text with the code';
COMMENT ON COLUMN codes.user_id IS 'the entrant whose number it is, once that is known';
COMMENT ON COLUMN codes.is_completed IS 'whether what it is for was done';

CREATE INDEX codes_subject_idx ON codes (subject, sent_at);
CREATE INDEX codes_number_idx ON codes (number_tag, sent_at);
CREATE INDEX codes_network_idx ON codes (network, sent_at) WHERE NOT is_completed;
CREATE INDEX codes_sent_idx ON codes (sent_at);
CREATE INDEX codes_user_idx ON codes (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE waiting_sign_ups (
    id           bytea CONSTRAINT waiting_sign_ups_pkey PRIMARY KEY
        CONSTRAINT waiting_sign_ups_id_length CHECK (length(id) = 16),
    browser_hash bytea NOT NULL CONSTRAINT waiting_sign_ups_browser_hash_length CHECK (length(browser_hash) = 32),
    sign_up      jsonb,
    user_id      bigint,
    is_new       boolean,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    CONSTRAINT waiting_sign_ups_entered_whole CHECK ((user_id IS NULL) = (is_new IS NULL))
);
COMMENT ON TABLE waiting_sign_ups IS 'Sign-ups that wait until their number is proved, and for a day those that were completed.';
COMMENT ON COLUMN waiting_sign_ups.browser_hash IS 'SHA-256 of the secret in the browser''s cookie';
COMMENT ON COLUMN waiting_sign_ups.sign_up IS 'what the form said; null once it was completed or the code has expired';
COMMENT ON COLUMN waiting_sign_ups.user_id IS 'the entrant, once it was completed';
COMMENT ON COLUMN waiting_sign_ups.is_new IS 'whether the entrant was new';

CREATE INDEX waiting_sign_ups_browser_idx ON waiting_sign_ups (browser_hash, created_at);
CREATE INDEX waiting_sign_ups_created_idx ON waiting_sign_ups (created_at);
CREATE INDEX waiting_sign_ups_pending_idx ON waiting_sign_ups (expires_at) WHERE sign_up IS NOT NULL;
CREATE INDEX waiting_sign_ups_user_idx ON waiting_sign_ups (user_id) WHERE user_id IS NOT NULL;
