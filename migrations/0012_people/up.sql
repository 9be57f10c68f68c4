-- What staff note about entrants, people's requests for their data, and erasing a person.

-- An entrant gets a row with the first note, mark or import. Numbers stand in users only, so that nothing here has to be
-- kept equal to them or erased a second time.
CREATE TABLE user_data_management (
    id              bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT user_data_management_pkey PRIMARY KEY,
    user_id         bigint NOT NULL CONSTRAINT user_data_management_user_id_key UNIQUE
        CONSTRAINT user_data_management_user_id_fkey REFERENCES users (id),
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
    tags            jsonb NOT NULL DEFAULT '[]' CONSTRAINT user_data_management_tags_list
        CHECK (CASE WHEN jsonb_typeof(tags) = 'array' THEN jsonb_array_length(tags) <= 20 ELSE false END),
    notes           text NOT NULL DEFAULT ''
        CONSTRAINT user_data_management_notes_bounded CHECK (length(notes) <= 5000),
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT user_data_management_import_whole CHECK ((data_source = 'import') = (import_batch_id IS NOT NULL)),
    CONSTRAINT user_data_management_mark_whole
        CHECK (num_nonnulls(duplicate_of, merged_at, reason) = CASE WHEN is_duplicate THEN 3 ELSE 0 END),
    CONSTRAINT user_data_management_flag_of_mark CHECK (is_duplicate OR NOT has_set_flag),
    CONSTRAINT user_data_management_not_oneself CHECK (duplicate_of <> user_id)
);
COMMENT ON TABLE user_data_management IS 'Tags, notes, duplicates and imports of staff.';
COMMENT ON COLUMN user_data_management.duplicate_of IS
    'The entry of the same person that stays in drawings. It is no duplicate itself.';

CREATE INDEX user_data_management_duplicate_of_idx ON user_data_management (duplicate_of) WHERE is_duplicate;
CREATE INDEX user_data_management_tags_idx ON user_data_management USING gin (tags) WHERE tags <> '[]';

-- A copy is made when it is downloaded, so no file is stored. The link to it can be made again from the id, and only its
-- hash stands here.
CREATE TABLE data_export_requests (
    id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT data_export_requests_pkey PRIMARY KEY,
    user_id      bigint NOT NULL CONSTRAINT data_export_requests_user_id_fkey REFERENCES users (id),
    request_type text NOT NULL CONSTRAINT data_export_requests_type_known CHECK (request_type IN ('export', 'erasure')),
    asked_by     text NOT NULL CONSTRAINT data_export_requests_asked_by_known CHECK (asked_by IN ('visitor', 'staff')),
    status       text NOT NULL DEFAULT 'pending' CONSTRAINT data_export_requests_status_known
        CHECK (status IN ('pending', 'completed', 'failed', 'expired')),
    token_hash   bytea CONSTRAINT data_export_requests_token_hash_key UNIQUE
        CONSTRAINT data_export_requests_token_hash_length CHECK (length(token_hash) = 32),
    completed_at timestamptz,
    expires_at   timestamptz,
    created_at   timestamptz NOT NULL,
    CONSTRAINT data_export_requests_completed_whole CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
    CONSTRAINT data_export_requests_link_of_export
        CHECK (token_hash IS NULL OR request_type = 'export' AND status = 'completed' AND expires_at IS NOT NULL)
);
COMMENT ON TABLE data_export_requests IS 'Requests of people for a copy of their data, or for its deletion.';
COMMENT ON COLUMN data_export_requests.token_hash IS 'The SHA-256 of the secret in the link to a copy.';
COMMENT ON COLUMN data_export_requests.expires_at IS
    'Pending: until when the code is valid. A completed export: until when its link works.';

CREATE INDEX data_export_requests_user_id_idx ON data_export_requests (user_id, id);
CREATE INDEX data_export_requests_pending_idx ON data_export_requests (expires_at) WHERE status = 'pending';

-- ---- erasing a person ----

-- The id stays; whatever says who it was becomes null or is deleted. By an HMAC of the number, this outlives it. A STOP stays;
-- the rest goes after 13 months.
CREATE TABLE erased_numbers (
    number_hmac  bytea CONSTRAINT erased_numbers_pkey PRIMARY KEY
        CONSTRAINT erased_numbers_hmac_length CHECK (length(number_hmac) = 32),
    opted_out_at timestamptz,
    is_flagged   boolean NOT NULL,
    duplicate_of bigint CONSTRAINT erased_numbers_duplicate_of_fkey REFERENCES users (id),
    has_set_flag boolean NOT NULL,
    was_credited boolean NOT NULL,
    counts       jsonb NOT NULL CONSTRAINT erased_numbers_counts_object CHECK (jsonb_typeof(counts) = 'object'),
    entries      jsonb NOT NULL CONSTRAINT erased_numbers_entries_object CHECK (jsonb_typeof(entries) = 'object'),
    expires_at   timestamptz NOT NULL,
    CONSTRAINT erased_numbers_flag_of_mark CHECK (duplicate_of IS NOT NULL OR NOT has_set_flag)
);
COMMENT ON TABLE erased_numbers IS 'What the next entrant with the number of an erased one inherits.';
COMMENT ON COLUMN erased_numbers.opted_out_at IS 'When the number said STOP, if that stood';
COMMENT ON COLUMN erased_numbers.duplicate_of IS 'The entry that staff marked the entry of this number as a duplicate of';
COMMENT ON COLUMN erased_numbers.has_set_flag IS 'Whether that mark set the flag';
COMMENT ON COLUMN erased_numbers.was_credited IS 'Whether somebody got an entry for the sign-up of this number';
COMMENT ON COLUMN erased_numbers.counts IS 'The campaign texts of each month, by its first day';
COMMENT ON COLUMN erased_numbers.entries IS 'The bought and free entries that count toward the cap of each month, by its first day';
COMMENT ON COLUMN erased_numbers.expires_at IS 'When all but the STOP is forgotten';

CREATE INDEX erased_numbers_expires_at_idx ON erased_numbers (expires_at);

-- What the append-only tables may lose, once the person is erased. Triggers refuse any other change of them. The functions run as
-- the owner of the tables, because the server's role cannot change these at all.
CREATE FUNCTION demand_erased(entrant bigint) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM users WHERE id = entrant AND erased_at IS NOT NULL) THEN
        RAISE EXCEPTION 'entrant % is not erased', entrant USING ERRCODE = 'restrict_violation';
    END IF;
END
$$;
CREATE FUNCTION erase_winner_number(entrant bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT demand_erased(entrant);
    UPDATE drawing_results SET winner_phone_number = NULL WHERE winner_id = entrant AND winner_phone_number IS NOT NULL
$$;
CREATE FUNCTION erase_claim_notes(entrant bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT demand_erased(entrant);
    UPDATE winner_verification_events SET note = NULL
    WHERE note IS NOT NULL AND claim_id IN (SELECT id FROM winner_verification WHERE winner_id = entrant)
$$;
-- What staff wrote about the entrant, the appeals and the claims. Appeals are deleted before, so all entries about appeals
-- that are gone lose their notes.
CREATE FUNCTION erase_audit_notes(entrant bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT demand_erased(entrant);
    UPDATE admin_audit_log SET details = details - ARRAY['reason', 'note', 'notes', 'tags']
    WHERE details ?| ARRAY['reason', 'note', 'notes', 'tags'] AND (
        action IN ('flag_user', 'unflag_user', 'edit_person', 'mark_duplicate', 'unmark_duplicate')
            AND target = entrant::text
        OR action = 'decide_appeal' AND NOT EXISTS (SELECT FROM flag_appeals WHERE flag_appeals.id::text = target)
        OR action IN ('approve_claim', 'reject_claim', 'ship_prize', 'deliver_prize', 'resend_claim', 'note_call',
                      'confirm_number', 'mark_unreachable')
            AND target IN (SELECT id::text FROM winner_verification WHERE winner_id = entrant)
    )
$$;
REVOKE EXECUTE ON FUNCTION erase_winner_number(bigint), erase_claim_notes(bigint), erase_audit_notes(bigint) FROM PUBLIC;
