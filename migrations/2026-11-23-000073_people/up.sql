-- What staff note about entrants (D44). An entrant gets a row with the first note, mark or import. Numbers stand in users
-- only, so that nothing here has to be kept equal to them or erased a second time.

CREATE TABLE user_data_management (
    id              bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT user_data_management_pkey PRIMARY KEY,
    user_id         bigint NOT NULL CONSTRAINT user_data_management_user_id_fkey REFERENCES users (id),
    data_source     text NOT NULL DEFAULT 'site'
        CONSTRAINT user_data_management_data_source_known CHECK (data_source IN ('site', 'import')),
    import_batch_id text
        CONSTRAINT user_data_management_import_batch_id_short CHECK (length(import_batch_id) BETWEEN 1 AND 64),
    consent_basis   text
        CONSTRAINT user_data_management_consent_basis_bounded CHECK (length(consent_basis) BETWEEN 1 AND 500),
    is_duplicate    boolean NOT NULL DEFAULT false,
    duplicate_of    bigint CONSTRAINT user_data_management_duplicate_of_fkey REFERENCES users (id),
    merged_into     bigint GENERATED ALWAYS AS (duplicate_of) STORED,
    merged_at       timestamptz,
    reason          text CONSTRAINT user_data_management_reason_bounded CHECK (length(reason) BETWEEN 3 AND 500),
    has_set_flag    boolean NOT NULL DEFAULT false, -- whether the mark set the flag, which then ends with it
    tags            jsonb NOT NULL DEFAULT '[]'
        CONSTRAINT user_data_management_tags_list
        CHECK (CASE WHEN jsonb_typeof(tags) = 'array' THEN jsonb_array_length(tags) <= 20 ELSE false END),
    notes           text NOT NULL DEFAULT ''
        CONSTRAINT user_data_management_notes_bounded CHECK (length(notes) <= 5000),
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT user_data_management_user_id_key UNIQUE (user_id),
    CONSTRAINT user_data_management_import_whole CHECK ((data_source = 'import') = (import_batch_id IS NOT NULL)),
    CONSTRAINT user_data_management_mark_whole
        CHECK (num_nonnulls(duplicate_of, merged_at, reason) = CASE WHEN is_duplicate THEN 3 ELSE 0 END),
    CONSTRAINT user_data_management_flag_of_mark CHECK (is_duplicate OR NOT has_set_flag),
    CONSTRAINT user_data_management_not_oneself CHECK (duplicate_of <> user_id)
);

CREATE INDEX user_data_management_duplicate_of_idx ON user_data_management (duplicate_of) WHERE is_duplicate;
CREATE INDEX user_data_management_tags_idx ON user_data_management USING gin (tags) WHERE tags <> '[]';

COMMENT ON TABLE user_data_management IS 'Tags, notes, duplicates and imports of staff.';
COMMENT ON COLUMN user_data_management.duplicate_of IS
    'The entry of the same person that stays in drawings. It is no duplicate itself.';
