-- Drawings: commitments, results, lists of entrants, the hash-chained log; and the outbox for texts.

-- The newest commitment of a raffle is open until a drawing refers to it.
CREATE TABLE drawing_commitments (
    id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT drawing_commitments_pkey PRIMARY KEY,
    landing_page text NOT NULL CONSTRAINT drawing_commitments_landing_page_known
        CHECK (landing_page IN ('garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    number       bigint NOT NULL -- 1, 2, 3 … within each raffle
        CONSTRAINT drawing_commitments_number_positive CHECK (number > 0),
    commitment   text NOT NULL CONSTRAINT drawing_commitments_commitment_hash CHECK (commitment ~ '^[0-9a-f]{64}$'),
    sealed       bytea NOT NULL, -- the seed and the salt key, encrypted
    source       text NOT NULL CONSTRAINT drawing_commitments_source_known CHECK (source IN ('os')),
    created_at   timestamptz NOT NULL,
    CONSTRAINT drawing_commitments_number_key UNIQUE (landing_page, number),
    CONSTRAINT drawing_commitments_commitment_key UNIQUE (commitment)
);

-- The id of a drawing is part of the hashes in its row, so it is taken from the sequence before the row is written.
CREATE SEQUENCE drawing_numbers;

CREATE TABLE drawing_results (
    id                    bigint CONSTRAINT drawing_results_pkey PRIMARY KEY,
    landing_page          text NOT NULL CONSTRAINT drawing_results_landing_page_known
        CHECK (landing_page IN ('garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    winner_id             bigint NOT NULL CONSTRAINT drawing_results_winner_id_fkey REFERENCES users (id),
    winner_phone_number   text NOT NULL -- at the time of the drawing
        CONSTRAINT drawing_results_winner_phone_number_e164 CHECK (winner_phone_number ~ '^\+[0-9]{8,15}$'),
    winner_index          bigint NOT NULL,
    total_participants    bigint NOT NULL,
    total_entries         bigint NOT NULL
        CONSTRAINT drawing_results_total_entries_exact CHECK (total_entries < 9007199254740992), -- 2^53
    winning_entry_number  bigint NOT NULL,
    drawing_method        text NOT NULL DEFAULT 'random'
        CONSTRAINT drawing_results_drawing_method_known CHECK (drawing_method IN ('random')),
    commitment_id         bigint NOT NULL
        CONSTRAINT drawing_results_commitment_id_fkey REFERENCES drawing_commitments (id),
    merkle_root           text NOT NULL
        CONSTRAINT drawing_results_merkle_root_hash CHECK (merkle_root ~ '^[0-9a-f]{64}$'),
    random_seed           text NOT NULL
        CONSTRAINT drawing_results_random_seed_bytes CHECK (random_seed ~ '^[0-9a-f]{64}$'),
    salt_key              bytea NOT NULL -- never published
        CONSTRAINT drawing_results_salt_key_bytes CHECK (length(salt_key) = 32),
    verification_hash     text NOT NULL
        CONSTRAINT drawing_results_verification_hash_hash CHECK (verification_hash ~ '^[0-9a-f]{64}$'),
    idempotency_key       text CONSTRAINT drawing_results_idempotency_key_short
        CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    admin_session_id      bigint NOT NULL, -- no foreign key: sessions are deleted, drawings are kept
    created_at            timestamptz NOT NULL,
    CONSTRAINT drawing_results_commitment_id_key UNIQUE (commitment_id),
    CONSTRAINT drawing_results_idempotency_key_key UNIQUE (idempotency_key),
    CONSTRAINT drawing_results_participants_hold_entries CHECK (total_participants BETWEEN 1 AND total_entries),
    CONSTRAINT drawing_results_winning_entry_among_all CHECK (winning_entry_number BETWEEN 1 AND total_entries),
    CONSTRAINT drawing_results_winner_among_all CHECK (winner_index BETWEEN 0 AND total_participants - 1)
);

-- The entrants of a drawing, in chunks of several thousand. The chunks are stored before the row of the drawing itself.
CREATE TABLE drawing_chunks (
    drawing_id    bigint NOT NULL CONSTRAINT drawing_chunks_drawing_id_fkey REFERENCES drawing_results (id)
        DEFERRABLE INITIALLY DEFERRED,
    number        bigint NOT NULL CONSTRAINT drawing_chunks_number_positive CHECK (number >= 0),
    first_entry   bigint NOT NULL CONSTRAINT drawing_chunks_first_entry_positive CHECK (first_entry > 0),
    first_user_id bigint NOT NULL,
    root          bytea NOT NULL CONSTRAINT drawing_chunks_root_hash CHECK (length(root) = 32),
    packed        bytea NOT NULL,
    CONSTRAINT drawing_chunks_pkey PRIMARY KEY (drawing_id, number),
    CONSTRAINT drawing_chunks_first_entry_key UNIQUE (drawing_id, first_entry),
    CONSTRAINT drawing_chunks_first_user_id_key UNIQUE (drawing_id, first_user_id)
);

-- The chunks are already packed. Compressing them again would take longer than writing them.
ALTER TABLE drawing_chunks ALTER packed SET STORAGE EXTERNAL;

CREATE TABLE drawing_audit_logs (
    id                bigint CONSTRAINT drawing_audit_logs_pkey PRIMARY KEY -- the last id plus one, without gaps
        CONSTRAINT drawing_audit_logs_id_positive CHECK (id > 0),
    drawing_id        bigint CONSTRAINT drawing_audit_logs_drawing_id_fkey REFERENCES drawing_results (id)
        DEFERRABLE INITIALLY DEFERRED,
    action            text NOT NULL CONSTRAINT drawing_audit_logs_action_known
        CHECK (action IN ('commitment_opened', 'drawing_performed')),
    details           json NOT NULL -- not jsonb: the exact text is hashed; it is one line
        CONSTRAINT drawing_audit_logs_details_object CHECK (json_typeof(details) = 'object')
        CONSTRAINT drawing_audit_logs_details_line CHECK (strpos(details::text, E'\n') = 0),
    random_seed       text CONSTRAINT drawing_audit_logs_random_seed_bytes CHECK (random_seed ~ '^[0-9a-f]{64}$'),
    participant_count bigint
        CONSTRAINT drawing_audit_logs_participant_count_positive CHECK (participant_count >= 0),
    verification_hash text
        CONSTRAINT drawing_audit_logs_verification_hash_hash CHECK (verification_hash ~ '^[0-9a-f]{64}$'),
    admin_session_id  bigint,
    "timestamp"       timestamptz NOT NULL,
    previous_hash     text NOT NULL
        CONSTRAINT drawing_audit_logs_previous_hash_hash CHECK (previous_hash ~ '^[0-9a-f]{64}$'),
    hash              text NOT NULL CONSTRAINT drawing_audit_logs_hash_hash CHECK (hash ~ '^[0-9a-f]{64}$'),
    CONSTRAINT drawing_audit_logs_hash_key UNIQUE (hash)
);

-- The log has one entry per drawing.
CREATE UNIQUE INDEX drawing_audit_logs_performed_idx ON drawing_audit_logs (drawing_id)
    WHERE action = 'drawing_performed';

CREATE TRIGGER drawing_commitments_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_commitments
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_results_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_results
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_chunks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_chunks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_audit_logs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_audit_logs
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The outbox: the transaction that causes a text writes it here, and it is sent later.
CREATE TABLE sms_sent_messages (
    id                  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT sms_sent_messages_pkey PRIMARY KEY,
    kind                text NOT NULL CONSTRAINT sms_sent_messages_kind_known CHECK (kind IN ('victory')),
    campaign_id         bigint,
    user_id             bigint CONSTRAINT sms_sent_messages_user_id_fkey REFERENCES users (id),
    phone_number        text NOT NULL
        CONSTRAINT sms_sent_messages_phone_number_e164 CHECK (phone_number ~ '^\+[0-9]{8,15}$'),
    message_body        text NOT NULL CONSTRAINT sms_sent_messages_message_body_something CHECK (message_body <> ''),
    tracking_id         text,
    tracking_url        text,
    provider_message_id text,
    status              text NOT NULL DEFAULT 'pending' CONSTRAINT sms_sent_messages_status_known
        CHECK (status IN ('pending', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'skipped')),
    error_message       text,
    sent_at             timestamptz,
    created_at          timestamptz NOT NULL,
    CONSTRAINT sms_sent_messages_tracking_id_key UNIQUE (tracking_id)
);

CREATE INDEX sms_sent_messages_user_id_idx ON sms_sent_messages (user_id, id);
