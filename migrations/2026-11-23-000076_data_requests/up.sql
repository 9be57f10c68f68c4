-- Requests of people for their data (D45): a copy of everything, or its deletion. A copy is made when it is downloaded, so no
-- file is stored; the link to it can be made again from the id, and only its hash stands here.

CREATE TABLE data_export_requests (
    id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT data_export_requests_pkey PRIMARY KEY,
    user_id      bigint NOT NULL CONSTRAINT data_export_requests_user_id_fkey REFERENCES users (id),
    request_type text NOT NULL
        CONSTRAINT data_export_requests_type_known CHECK (request_type IN ('export', 'erasure')),
    asked_by     text NOT NULL CONSTRAINT data_export_requests_asked_by_known CHECK (asked_by IN ('visitor', 'staff')),
    status       text NOT NULL DEFAULT 'pending' CONSTRAINT data_export_requests_status_known
        CHECK (status IN ('pending', 'completed', 'failed', 'expired')),
    code_hash    bytea
        CONSTRAINT data_export_requests_code_hash_length CHECK (length(code_hash) = 32), -- an HMAC
    wrong_tries  integer NOT NULL DEFAULT 0, -- of this code
    codes_sent   timestamptz[] NOT NULL DEFAULT '{}',
    token_hash   bytea CONSTRAINT data_export_requests_token_hash_length CHECK (length(token_hash) = 32),
    completed_at timestamptz,
    expires_at   timestamptz,
    created_at   timestamptz NOT NULL,
    CONSTRAINT data_export_requests_token_hash_key UNIQUE (token_hash),
    CONSTRAINT data_export_requests_completed_whole CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
    CONSTRAINT data_export_requests_code_while_pending CHECK (code_hash IS NULL OR status = 'pending'),
    CONSTRAINT data_export_requests_link_of_export
        CHECK (token_hash IS NULL OR request_type = 'export' AND status = 'completed' AND expires_at IS NOT NULL)
);
COMMENT ON TABLE data_export_requests IS 'Requests of people for a copy of their data, or for its deletion.';
COMMENT ON COLUMN data_export_requests.token_hash IS 'The SHA-256 of the secret in the link to a copy.';
COMMENT ON COLUMN data_export_requests.expires_at IS
    'Pending: until when the code is valid. A completed export: until when its link works.';

CREATE INDEX data_export_requests_user_id_idx ON data_export_requests (user_id, id);
CREATE INDEX data_export_requests_pending_idx ON data_export_requests (expires_at) WHERE status = 'pending';
