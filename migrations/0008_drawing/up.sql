-- Drawings in steps: announced, sealed, drawn or void. Each step is a row of a table of its own and an entry of the log, which
-- is a hash chain.

-- Drawings take turns by a lock on this table. A lock on the log itself would need the right to change the log.
CREATE TABLE drawing_turns (
    nothing boolean CONSTRAINT drawing_turns_empty CHECK (false)
);
COMMENT ON TABLE drawing_turns IS 'Has no rows. Whoever writes to the log of drawings locks it until the transaction ends.';

-- The id of a drawing is part of the hashes in its rows, so it is taken from the sequence before they are written.
CREATE SEQUENCE drawing_numbers;

CREATE TABLE drawings (
    id               bigint CONSTRAINT drawings_pkey PRIMARY KEY, -- taken from drawing_numbers
    landing_page     text NOT NULL CONSTRAINT drawings_landing_page_fkey REFERENCES raffles (key),
    period           text NOT NULL CONSTRAINT drawings_period_month CHECK (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    is_additional    boolean NOT NULL,
    status           text NOT NULL
        CONSTRAINT drawings_status_known CHECK (status IN ('announced', 'sealed', 'drawn', 'void')),
    commitment       text NOT NULL CONSTRAINT drawings_commitment_hash CHECK (commitment ~ '^[0-9a-f]{64}$'),
    seed_source      text NOT NULL CONSTRAINT drawings_seed_source_known CHECK (seed_source IN ('os')),
    sealed_secrets   bytea NOT NULL,
    cut_off          timestamptz,
    chain            text NOT NULL CONSTRAINT drawings_chain_hash CHECK (chain = 'off' OR chain ~ '^[0-9a-f]{64}$'),
    reason           text CONSTRAINT drawings_reason_short CHECK (length(reason) BETWEEN 1 AND 500),
    prize            jsonb NOT NULL,
    replaces         bigint CONSTRAINT drawings_replaces_fkey REFERENCES drawings (id),
    idempotency_key  text CONSTRAINT drawings_idempotency_key_key UNIQUE
        CONSTRAINT drawings_idempotency_key_short CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    request_hash     bytea CONSTRAINT drawings_request_hash_sha256 CHECK (length(request_hash) = 32),
    admin_session_id bigint, -- no foreign key: sessions are deleted, drawings are kept
    admin_member_id  bigint,
    created_at       timestamptz NOT NULL,
    CONSTRAINT drawings_request_hash_when CHECK ((request_hash IS NULL) = (idempotency_key IS NULL)),
    CONSTRAINT drawings_additional_reason CHECK (NOT is_additional OR reason IS NOT NULL)
);
COMMENT ON TABLE drawings IS 'All drawings. Rows of drawing_seals, drawing_results and drawing_voids change their status.';
COMMENT ON COLUMN drawings.period IS 'The calendar month in the time zone of the site';
COMMENT ON COLUMN drawings.sealed_secrets IS 'The seed and the salt key, encrypted';
COMMENT ON COLUMN drawings.cut_off IS 'Only entries from before count; null: the moment of the seal';
COMMENT ON COLUMN drawings.chain IS 'The hash of the chain of the randomness beacon, or off';
COMMENT ON COLUMN drawings.prize IS 'The prize as announced, with its words for people, and the version that promises it';
COMMENT ON COLUMN drawings.replaces IS 'The void drawing whose list this one takes as it stands';
COMMENT ON COLUMN drawings.request_hash IS 'The SHA-256 of the request that came with the idempotency key';

CREATE UNIQUE INDEX drawings_regular_key ON drawings (landing_page, period) WHERE NOT is_additional AND status <> 'void';
CREATE UNIQUE INDEX drawings_commitment_key ON drawings (commitment) WHERE status <> 'void';
CREATE UNIQUE INDEX drawings_replaces_key ON drawings (replaces) WHERE status <> 'void';
CREATE INDEX drawings_open_idx ON drawings (landing_page, id) WHERE status IN ('announced', 'sealed');

-- ---- the log ----

CREATE TABLE drawing_audit_logs (
    id                bigint CONSTRAINT drawing_audit_logs_pkey PRIMARY KEY -- the last id plus one, without gaps
        CONSTRAINT drawing_audit_logs_id_positive CHECK (id > 0),
    drawing_id        bigint CONSTRAINT drawing_audit_logs_drawing_id_fkey REFERENCES drawings (id)
        DEFERRABLE INITIALLY DEFERRED,
    action            text NOT NULL CONSTRAINT drawing_audit_logs_action_known CHECK (action IN (
        'drawing_announced', 'drawing_sealed', 'drawing_performed', 'drawing_void', 'late_round', 'seal_refused', 'checkpoint',
        'raffle_opens', 'raffle_closes'
    )),
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
    hash              text NOT NULL CONSTRAINT drawing_audit_logs_hash_key UNIQUE
        CONSTRAINT drawing_audit_logs_hash_hash CHECK (hash ~ '^[0-9a-f]{64}$')
);

-- The log has one seal per drawing, and one end: with winners or without.
CREATE UNIQUE INDEX drawing_audit_logs_sealed_idx ON drawing_audit_logs (drawing_id) WHERE action = 'drawing_sealed';
CREATE UNIQUE INDEX drawing_audit_logs_performed_idx ON drawing_audit_logs (drawing_id) WHERE action = 'drawing_performed';
CREATE UNIQUE INDEX drawing_audit_logs_void_idx ON drawing_audit_logs (drawing_id) WHERE action = 'drawing_void';
CREATE UNIQUE INDEX drawing_audit_logs_late_round_idx ON drawing_audit_logs (drawing_id) WHERE action = 'late_round';
CREATE INDEX drawing_audit_logs_checkpoint_idx ON drawing_audit_logs (id) WHERE action = 'checkpoint';

CREATE TRIGGER drawing_audit_logs_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_audit_logs
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- ---- the steps ----

CREATE TABLE drawing_announcements (
    drawing_id  bigint NOT NULL CONSTRAINT drawing_announcements_drawing_id_fkey REFERENCES drawings (id),
    number      bigint NOT NULL CONSTRAINT drawing_announcements_number_positive CHECK (number > 0),
    round       bigint NOT NULL
        CONSTRAINT drawing_announcements_round_exact CHECK (round BETWEEN 0 AND 9007199254740991), -- 2^53 - 1
    round_at    timestamptz,
    seal_due_at timestamptz NOT NULL,
    seal_before timestamptz,
    log_id      bigint NOT NULL CONSTRAINT drawing_announcements_log_id_key UNIQUE
        CONSTRAINT drawing_announcements_log_id_fkey REFERENCES drawing_audit_logs (id) DEFERRABLE INITIALLY DEFERRED,
    created_at  timestamptz NOT NULL,
    CONSTRAINT drawing_announcements_pkey PRIMARY KEY (drawing_id, number),
    CONSTRAINT drawing_announcements_round_when
        CHECK (num_nulls(round_at, seal_before) = CASE round WHEN 0 THEN 2 ELSE 0 END)
);
COMMENT ON TABLE drawing_announcements IS 'The announcements of a drawing. A seal that came too late is followed by another one; the newest counts.';
COMMENT ON COLUMN drawing_announcements.round IS 'Of the beacon; 0 when it is off';
COMMENT ON COLUMN drawing_announcements.round_at IS 'When the beacon publishes the round';
COMMENT ON COLUMN drawing_announcements.seal_due_at IS 'When the server seals the drawing';
COMMENT ON COLUMN drawing_announcements.seal_before IS 'A transaction that seals the drawing and commits later fails';

CREATE TRIGGER drawing_announcements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_announcements
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE drawing_seals (
    drawing_id         bigint CONSTRAINT drawing_seals_pkey PRIMARY KEY,
    announcement       bigint NOT NULL,
    log_id             bigint NOT NULL CONSTRAINT drawing_seals_log_id_key UNIQUE
        CONSTRAINT drawing_seals_log_id_fkey REFERENCES drawing_audit_logs (id) DEFERRABLE INITIALLY DEFERRED,
    random_seed        text NOT NULL CONSTRAINT drawing_seals_random_seed_bytes CHECK (random_seed ~ '^[0-9a-f]{64}$'),
    salt_key           bytea NOT NULL -- never published
        CONSTRAINT drawing_seals_salt_key_bytes CHECK (length(salt_key) = 32),
    merkle_root        text NOT NULL CONSTRAINT drawing_seals_merkle_root_hash CHECK (merkle_root ~ '^[0-9a-f]{64}$'),
    weights_hash       text NOT NULL CONSTRAINT drawing_seals_weights_hash_hash CHECK (weights_hash ~ '^[0-9a-f]{64}$'),
    total_participants bigint NOT NULL,
    total_entries      bigint NOT NULL
        CONSTRAINT drawing_seals_total_entries_exact CHECK (total_entries < 9007199254740992), -- 2^53
    cut_off            timestamptz NOT NULL,
    created_at         timestamptz NOT NULL,
    CONSTRAINT drawing_seals_announcement_fkey FOREIGN KEY (drawing_id, announcement)
        REFERENCES drawing_announcements (drawing_id, number),
    CONSTRAINT drawing_seals_participants_hold_entries CHECK (total_participants BETWEEN 1 AND total_entries)
);
COMMENT ON TABLE drawing_seals IS 'What was published when the list of a drawing was frozen. The list is in drawing_chunks.';

CREATE TRIGGER drawing_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_seals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Append-only rows may lose what is personal in them, and nothing else of them changes. Of tables with something personal, one
-- trigger refuses statements that set any other column, and a second one anything but erasing.
CREATE TABLE drawing_results (
    id                   bigint CONSTRAINT drawing_results_pkey PRIMARY KEY
        CONSTRAINT drawing_results_id_fkey REFERENCES drawings (id) DEFERRABLE INITIALLY DEFERRED,
    landing_page         text NOT NULL CONSTRAINT drawing_results_landing_page_fkey REFERENCES raffles (key),
    winner_id            bigint NOT NULL CONSTRAINT drawing_results_winner_id_fkey REFERENCES users (id),
    winner_phone_number  text -- at the time of the drawing
        CONSTRAINT drawing_results_winner_phone_number_e164 CHECK (winner_phone_number ~ '^\+[0-9]{8,15}$'),
    winning_entry_number bigint NOT NULL
        CONSTRAINT drawing_results_winning_entry_number_positive CHECK (winning_entry_number > 0),
    drawing_method       text NOT NULL DEFAULT 'random' CONSTRAINT drawing_results_drawing_method_known
        CHECK (drawing_method = 'random'),
    beacon_signature     bytea CONSTRAINT drawing_results_beacon_signature_bytes CHECK (length(beacon_signature) = 48),
    verification_hash    text NOT NULL
        CONSTRAINT drawing_results_verification_hash_hash CHECK (verification_hash ~ '^[0-9a-f]{64}$'),
    created_at           timestamptz NOT NULL
);
COMMENT ON COLUMN drawing_results.beacon_signature IS 'Null when the beacon was off';

CREATE TRIGGER drawing_results_append_only BEFORE UPDATE OF
    id, landing_page, winner_id, winning_entry_number, drawing_method, beacon_signature, verification_hash, created_at
    OR DELETE OR TRUNCATE ON drawing_results
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_results_only_erased BEFORE UPDATE OF winner_phone_number ON drawing_results
    FOR EACH ROW WHEN (NEW.winner_phone_number IS NOT NULL) EXECUTE FUNCTION refuse_change();

CREATE TABLE drawing_ranks (
    drawing_id   bigint NOT NULL CONSTRAINT drawing_ranks_drawing_id_fkey REFERENCES drawing_results (id)
        DEFERRABLE INITIALLY DEFERRED,
    rank         bigint NOT NULL CONSTRAINT drawing_ranks_rank_known CHECK (rank BETWEEN 0 AND 9),
    entry_number bigint NOT NULL CONSTRAINT drawing_ranks_entry_number_positive CHECK (entry_number > 0),
    leaf_index   bigint NOT NULL CONSTRAINT drawing_ranks_leaf_index_positive CHECK (leaf_index >= 0),
    user_id      bigint NOT NULL CONSTRAINT drawing_ranks_user_id_fkey REFERENCES users (id),
    CONSTRAINT drawing_ranks_pkey PRIMARY KEY (drawing_id, rank),
    CONSTRAINT drawing_ranks_leaf_index_key UNIQUE (drawing_id, leaf_index),
    CONSTRAINT drawing_ranks_user_id_key UNIQUE (drawing_id, user_id)
);
COMMENT ON TABLE drawing_ranks IS 'The winner of a drawing (rank 0) and the alternates.';

CREATE TRIGGER drawing_ranks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_ranks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE drawing_voids (
    drawing_id       bigint CONSTRAINT drawing_voids_pkey PRIMARY KEY
        CONSTRAINT drawing_voids_drawing_id_fkey REFERENCES drawings (id),
    reason           text NOT NULL CONSTRAINT drawing_voids_reason_short CHECK (length(reason) BETWEEN 1 AND 500),
    log_id           bigint NOT NULL CONSTRAINT drawing_voids_log_id_key UNIQUE
        CONSTRAINT drawing_voids_log_id_fkey REFERENCES drawing_audit_logs (id) DEFERRABLE INITIALLY DEFERRED,
    admin_session_id bigint,
    created_at       timestamptz NOT NULL
);
COMMENT ON TABLE drawing_voids IS 'Drawings that ended without a winner.';
COMMENT ON COLUMN drawing_voids.admin_session_id IS 'Null when the server did it, because the raffle was empty';

CREATE TRIGGER drawing_voids_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_voids
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE drawing_late_rounds (
    drawing_id   bigint CONSTRAINT drawing_late_rounds_pkey PRIMARY KEY
        CONSTRAINT drawing_late_rounds_drawing_id_fkey REFERENCES drawing_voids (drawing_id),
    signature    bytea NOT NULL CONSTRAINT drawing_late_rounds_signature_bytes CHECK (length(signature) = 48),
    entry_number bigint NOT NULL CONSTRAINT drawing_late_rounds_entry_number_positive CHECK (entry_number > 0),
    log_id       bigint NOT NULL CONSTRAINT drawing_late_rounds_log_id_key UNIQUE
        CONSTRAINT drawing_late_rounds_log_id_fkey REFERENCES drawing_audit_logs (id) DEFERRABLE INITIALLY DEFERRED,
    created_at   timestamptz NOT NULL
);
COMMENT ON TABLE drawing_late_rounds IS
    'Rounds of void drawings that came after the seal of the drawing that replaces them, and the entry that would have won.';

CREATE TRIGGER drawing_late_rounds_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_late_rounds
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Whether a drawing that replaces this one is sealed, or was.
CREATE FUNCTION is_replaced(drawing bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM drawings JOIN drawing_seals ON drawing_id = id WHERE replaces = drawing)
$$;

-- A drawing begins announced, with a seed that nobody knows.
CREATE FUNCTION check_new_drawing() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    void drawings;
BEGIN
    IF NEW.status <> 'announced' THEN
        RAISE EXCEPTION 'a drawing begins announced' USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (SELECT FROM drawings JOIN drawing_seals ON drawing_id = id WHERE commitment = NEW.commitment) THEN
        RAISE EXCEPTION 'a seal has revealed the seed of drawing %', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.replaces IS NOT NULL THEN
        SELECT drawings.* INTO void FROM drawings JOIN drawing_seals ON drawing_id = id WHERE id = NEW.replaces;
        IF void.status IS DISTINCT FROM 'void' OR is_replaced(void.id)
            OR (void.landing_page, void.period, void.is_additional) <> (NEW.landing_page, NEW.period, NEW.is_additional)
        THEN
            RAISE EXCEPTION 'drawing % does not replace drawing %', NEW.id, NEW.replaces USING ERRCODE = 'restrict_violation';
        END IF;
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER drawings_new BEFORE INSERT ON drawings
    FOR EACH ROW EXECUTE FUNCTION check_new_drawing();

CREATE FUNCTION check_drawing_step() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    kept drawings := NEW;
BEGIN
    kept.status := OLD.status;
    IF kept IS DISTINCT FROM OLD THEN
        RAISE EXCEPTION 'only the status of a drawing changes' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (OLD.status, NEW.status)
        NOT IN (('announced', 'sealed'), ('announced', 'void'), ('sealed', 'drawn'), ('sealed', 'void'), ('void', 'drawn')) THEN
        RAISE EXCEPTION 'a drawing that is % does not become %', OLD.status, NEW.status
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.status = 'void' AND (
        is_replaced(NEW.id) OR NOT EXISTS (SELECT FROM drawing_seals WHERE drawing_id = NEW.id)
    ) THEN
        RAISE EXCEPTION 'drawing % is void for good', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT (
        CASE NEW.status
            WHEN 'sealed' THEN EXISTS (SELECT FROM drawing_seals WHERE drawing_id = NEW.id)
            WHEN 'drawn' THEN EXISTS (SELECT FROM drawing_results WHERE id = NEW.id)
            ELSE EXISTS (SELECT FROM drawing_voids WHERE drawing_id = NEW.id)
        END
    ) THEN
        RAISE EXCEPTION 'the row that makes drawing % % is missing', NEW.id, NEW.status
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER drawings_step BEFORE UPDATE ON drawings
    FOR EACH ROW EXECUTE FUNCTION check_drawing_step();
CREATE TRIGGER drawings_kept BEFORE DELETE OR TRUNCATE ON drawings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION check_announcement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM drawings WHERE id = NEW.drawing_id AND status = 'announced') THEN
        RAISE EXCEPTION 'only a drawing that is announced is announced again' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.number <> 1 + (SELECT count(*) FROM drawing_announcements WHERE drawing_id = NEW.drawing_id) THEN
        RAISE EXCEPTION 'the announcements of a drawing are numbered 1, 2, 3' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER drawing_announcements_new BEFORE INSERT ON drawing_announcements
    FOR EACH ROW EXECUTE FUNCTION check_announcement();

-- The row of a step makes the step. The function runs as the owner of the tables: the server's role cannot change drawings.
CREATE FUNCTION set_drawing_status() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE drawings SET status = TG_ARGV[0] WHERE id = NEW.drawing_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER drawing_seals_step AFTER INSERT ON drawing_seals
    FOR EACH ROW EXECUTE FUNCTION set_drawing_status('sealed');
CREATE TRIGGER drawing_voids_step AFTER INSERT ON drawing_voids
    FOR EACH ROW EXECUTE FUNCTION set_drawing_status('void');

-- As set_drawing_status: here the drawing's id is the row's own.
CREATE FUNCTION set_drawing_drawn() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE drawings SET status = 'drawn' WHERE id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER drawing_results_step AFTER INSERT ON drawing_results
    FOR EACH ROW EXECUTE FUNCTION set_drawing_drawn();

-- Runs at COMMIT, so that no transaction can freeze a list in time and publish it when the round is known.
CREATE FUNCTION check_seal() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    newest drawing_announcements;
BEGIN
    SELECT * INTO newest FROM drawing_announcements WHERE drawing_id = NEW.drawing_id ORDER BY number DESC LIMIT 1;
    IF NEW.announcement <> newest.number THEN
        RAISE EXCEPTION 'a seal follows the newest announcement' USING ERRCODE = 'restrict_violation';
    END IF;
    IF greatest(clock_timestamp(), NEW.created_at) > newest.seal_before THEN
        RAISE EXCEPTION 'the seal of drawing % comes too late', NEW.drawing_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'drawing_seals_in_time';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER drawing_seals_in_time AFTER INSERT ON drawing_seals
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_seal();

-- ---- frozen lists ----

-- The entrants of a drawing, in chunks of several thousand. The chunks are stored before the row of the seal.
CREATE TABLE drawing_chunks (
    drawing_id    bigint NOT NULL CONSTRAINT drawing_chunks_drawing_id_fkey REFERENCES drawings (id)
        DEFERRABLE INITIALLY DEFERRED,
    number        bigint NOT NULL CONSTRAINT drawing_chunks_number_positive CHECK (number >= 0),
    first_entry   bigint NOT NULL CONSTRAINT drawing_chunks_first_entry_positive CHECK (first_entry > 0),
    first_tag     bytea NOT NULL CONSTRAINT drawing_chunks_first_tag_sha256 CHECK (length(first_tag) = 32),
    root          bytea NOT NULL CONSTRAINT drawing_chunks_root_hash CHECK (length(root) = 32),
    packed        bytea NOT NULL,
    CONSTRAINT drawing_chunks_pkey PRIMARY KEY (drawing_id, number),
    CONSTRAINT drawing_chunks_first_entry_key UNIQUE (drawing_id, first_entry),
    CONSTRAINT drawing_chunks_first_tag_key UNIQUE (drawing_id, first_tag)
);
-- The chunks are already packed. Compressing them again would take longer than writing them.
ALTER TABLE drawing_chunks ALTER packed SET STORAGE EXTERNAL;

CREATE TRIGGER drawing_chunks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_chunks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The published list is made once and stored compressed, in one part for each chunk. The bytes of a part are raw deflate and end
-- at a byte boundary (RFC 1951, an empty stored block), so that a gzip header, all parts and a trailer are one gzip stream. Each
-- part can be decompressed alone.
CREATE TABLE drawing_list_parts (
    drawing_id     bigint NOT NULL,
    number         bigint NOT NULL,
    csv_start      bigint NOT NULL CONSTRAINT drawing_list_parts_csv_start_positive CHECK (csv_start >= 0),
    csv_end        bigint NOT NULL,
    deflated_start bigint NOT NULL CONSTRAINT drawing_list_parts_deflated_start_positive CHECK (deflated_start >= 0),
    deflated_end   bigint NOT NULL,
    csv_crc        bigint NOT NULL CONSTRAINT drawing_list_parts_csv_crc_32 CHECK (csv_crc BETWEEN 0 AND 4294967295),
    deflated_crc   bigint NOT NULL
        CONSTRAINT drawing_list_parts_deflated_crc_32 CHECK (deflated_crc BETWEEN 0 AND 4294967295),
    bytes          bytea NOT NULL,
    CONSTRAINT drawing_list_parts_pkey PRIMARY KEY (drawing_id, number),
    CONSTRAINT drawing_list_parts_chunk_fkey FOREIGN KEY (drawing_id, number)
        REFERENCES drawing_chunks (drawing_id, number),
    CONSTRAINT drawing_list_parts_csv_end_key UNIQUE (drawing_id, csv_end),
    CONSTRAINT drawing_list_parts_deflated_end_key UNIQUE (drawing_id, deflated_end),
    CONSTRAINT drawing_list_parts_csv_some CHECK (csv_start < csv_end),
    CONSTRAINT drawing_list_parts_deflated_whole CHECK (deflated_start + length(bytes) = deflated_end AND length(bytes) > 0)
);
-- The bytes are compressed already. Stored outside of the rows as they are, a row is read without its bytes.
ALTER TABLE drawing_list_parts ALTER bytes SET STORAGE EXTERNAL;

COMMENT ON TABLE drawing_list_parts IS 'The published list of a drawing in parts, as they are sent';
COMMENT ON COLUMN drawing_list_parts.csv_start IS 'Where the part begins in the CSV; csv_end is where it ends';
COMMENT ON COLUMN drawing_list_parts.deflated_start IS 'Where the part begins in the deflated list; deflated_end is where it ends';
COMMENT ON COLUMN drawing_list_parts.csv_crc IS 'The CRC-32 of the CSV from its beginning to csv_end';
COMMENT ON COLUMN drawing_list_parts.deflated_crc IS 'The CRC-32 of the deflated list from its beginning to deflated_end';

CREATE TRIGGER drawing_list_parts_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_list_parts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE drawing_lists (
    drawing_id   bigint CONSTRAINT drawing_lists_pkey PRIMARY KEY,
    last_part    bigint NOT NULL,
    root         bytea NOT NULL CONSTRAINT drawing_lists_root_hash CHECK (length(root) = 32),
    csv_end      bigint NOT NULL,
    deflated_end bigint NOT NULL,
    csv_crc      bigint NOT NULL CONSTRAINT drawing_lists_csv_crc_32 CHECK (csv_crc BETWEEN 0 AND 4294967295),
    deflated_crc bigint NOT NULL CONSTRAINT drawing_lists_deflated_crc_32 CHECK (deflated_crc BETWEEN 0 AND 4294967295),
    finished_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT drawing_lists_last_part_fkey FOREIGN KEY (drawing_id, last_part)
        REFERENCES drawing_list_parts (drawing_id, number)
);
COMMENT ON TABLE drawing_lists IS 'The published lists of which every part is stored; the columns repeat the last part';
COMMENT ON COLUMN drawing_lists.root IS 'The Merkle root of the list';

CREATE TRIGGER drawing_lists_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_lists
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- ---- rules ----

-- Each version counts from the beginning of a month on.
CREATE TABLE official_rules (
    version     bigint CONSTRAINT official_rules_pkey PRIMARY KEY
        CONSTRAINT official_rules_version_valid CHECK (version BETWEEN 1 AND 4294967295),
    from_period text NOT NULL CONSTRAINT official_rules_from_period_month CHECK (from_period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
    hash        bytea NOT NULL,
    text        text NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT official_rules_hash_of_text CHECK (hash = sha256(convert_to(text, 'UTF8')))
);
COMMENT ON TABLE official_rules IS 'Every version of the official rules, byte for byte';
COMMENT ON COLUMN official_rules.from_period IS
    'The first month for which it counts; the rules of a month are the highest version from that month or an earlier one';
COMMENT ON COLUMN official_rules.hash IS 'The SHA-256 of the text, which the announcements of drawings have';

CREATE TRIGGER official_rules_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON official_rules
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
