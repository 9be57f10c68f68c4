-- Drawings in steps (tombola-drawing/2): announced, sealed, drawn or void. Each step is an entry of the log.
--
-- Servers of the version before go on: they write drawing_results, and a trigger adds the row of `drawings`.

-- Every drawing locks the log first, so none is being performed from here on.
LOCK TABLE drawing_audit_logs IN ACCESS EXCLUSIVE MODE;

-- Every drawing of either version. Only the status changes.
CREATE TABLE drawings (
    id               bigint CONSTRAINT drawings_pkey PRIMARY KEY, -- taken from drawing_numbers
    scheme           smallint NOT NULL DEFAULT 2 CONSTRAINT drawings_scheme_known CHECK (scheme IN (1, 2)),
    landing_page     text NOT NULL CONSTRAINT drawings_landing_page_known
        CHECK (landing_page IN ('garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    period           text CONSTRAINT drawings_period_month CHECK (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    is_additional    boolean NOT NULL,
    status           text NOT NULL
        CONSTRAINT drawings_status_known CHECK (status IN ('announced', 'sealed', 'drawn', 'void')),
    commitment       text NOT NULL CONSTRAINT drawings_commitment_hash CHECK (commitment ~ '^[0-9a-f]{64}$'),
    seed_source      text NOT NULL CONSTRAINT drawings_seed_source_known CHECK (seed_source IN ('os')),
    sealed_secrets   bytea,
    cut_off          timestamptz,
    chain            text NOT NULL CONSTRAINT drawings_chain_hash CHECK (chain = 'off' OR chain ~ '^[0-9a-f]{64}$'),
    reason           text CONSTRAINT drawings_reason_short CHECK (length(reason) BETWEEN 1 AND 500),
    prize_name       text CONSTRAINT drawings_prize_name_short CHECK (length(prize_name) BETWEEN 1 AND 120),
    prize_value      text CONSTRAINT drawings_prize_value_short CHECK (length(prize_value) <= 120),
    idempotency_key  text CONSTRAINT drawings_idempotency_key_short CHECK (length(idempotency_key) BETWEEN 1 AND 255),
    request_hash     bytea CONSTRAINT drawings_request_hash_sha256 CHECK (length(request_hash) = 32),
    admin_session_id bigint, -- no foreign key: sessions are deleted, drawings are kept
    created_at       timestamptz NOT NULL,
    CONSTRAINT drawings_idempotency_key_key UNIQUE (idempotency_key),
    CONSTRAINT drawings_period_when CHECK ((scheme = 2) = (period IS NOT NULL)),
    CONSTRAINT drawings_sealed_secrets_when CHECK ((scheme = 2) = (sealed_secrets IS NOT NULL)),
    CONSTRAINT drawings_request_hash_when
        CHECK ((request_hash IS NOT NULL) = (scheme = 2 AND idempotency_key IS NOT NULL)),
    CONSTRAINT drawings_version_1_drawn CHECK (scheme = 2 OR status = 'drawn'),
    CONSTRAINT drawings_additional_reason CHECK (NOT is_additional OR reason IS NOT NULL),
    CONSTRAINT drawings_prize_whole CHECK ((prize_name IS NULL) = (prize_value IS NULL))
);

CREATE UNIQUE INDEX drawings_regular_key ON drawings (landing_page, period) WHERE NOT is_additional AND status <> 'void';
CREATE UNIQUE INDEX drawings_commitment_key ON drawings (commitment) WHERE status <> 'void';
CREATE INDEX drawings_open_idx ON drawings (landing_page, id) WHERE status IN ('announced', 'sealed');

COMMENT ON TABLE drawings IS 'All drawings. Rows of drawing_seals, drawing_results and drawing_voids change their status.';
COMMENT ON COLUMN drawings.period IS 'The calendar month in the time zone of the site; null for version 1';
COMMENT ON COLUMN drawings.sealed_secrets IS 'The seed and the salt key, encrypted; null for version 1, which has them in drawing_commitments';
COMMENT ON COLUMN drawings.cut_off IS 'Only entries from before count; null: the moment of the seal';
COMMENT ON COLUMN drawings.chain IS 'The hash of the chain of the randomness beacon, or off';
COMMENT ON COLUMN drawings.request_hash IS 'The SHA-256 of the request that came with the idempotency key; null for version 1';
COMMENT ON COLUMN drawings.prize_name IS 'The prize that an additional drawing announces. The prize of any drawing is in its seal';

CREATE TABLE drawing_announcements (
    drawing_id  bigint NOT NULL CONSTRAINT drawing_announcements_drawing_id_fkey REFERENCES drawings (id),
    number      bigint NOT NULL CONSTRAINT drawing_announcements_number_positive CHECK (number > 0),
    round       bigint NOT NULL
        CONSTRAINT drawing_announcements_round_exact CHECK (round BETWEEN 0 AND 9007199254740991), -- 2^53 - 1
    round_at    timestamptz,
    seal_due_at timestamptz NOT NULL,
    seal_before timestamptz,
    log_id      bigint NOT NULL CONSTRAINT drawing_announcements_log_id_fkey REFERENCES drawing_audit_logs (id)
        DEFERRABLE INITIALLY DEFERRED,
    created_at  timestamptz NOT NULL,
    CONSTRAINT drawing_announcements_pkey PRIMARY KEY (drawing_id, number),
    CONSTRAINT drawing_announcements_log_id_key UNIQUE (log_id),
    CONSTRAINT drawing_announcements_round_when
        CHECK (num_nulls(round_at, seal_before) = CASE round WHEN 0 THEN 2 ELSE 0 END)
);

COMMENT ON TABLE drawing_announcements IS 'The announcements of a drawing. A seal that came too late is followed by another one; the newest counts.';
COMMENT ON COLUMN drawing_announcements.round IS 'Of the beacon; 0 when it is off';
COMMENT ON COLUMN drawing_announcements.round_at IS 'When the beacon publishes the round';
COMMENT ON COLUMN drawing_announcements.seal_due_at IS 'When the server seals the drawing';
COMMENT ON COLUMN drawing_announcements.seal_before IS 'A transaction that seals the drawing and commits later fails';

CREATE TABLE drawing_seals (
    drawing_id         bigint CONSTRAINT drawing_seals_pkey PRIMARY KEY,
    announcement       bigint NOT NULL,
    log_id             bigint NOT NULL CONSTRAINT drawing_seals_log_id_fkey REFERENCES drawing_audit_logs (id)
        DEFERRABLE INITIALLY DEFERRED,
    random_seed        text NOT NULL CONSTRAINT drawing_seals_random_seed_bytes CHECK (random_seed ~ '^[0-9a-f]{64}$'),
    salt_key           bytea NOT NULL -- never published
        CONSTRAINT drawing_seals_salt_key_bytes CHECK (length(salt_key) = 32),
    merkle_root        text NOT NULL CONSTRAINT drawing_seals_merkle_root_hash CHECK (merkle_root ~ '^[0-9a-f]{64}$'),
    weights_hash       text NOT NULL CONSTRAINT drawing_seals_weights_hash_hash CHECK (weights_hash ~ '^[0-9a-f]{64}$'),
    total_participants bigint NOT NULL,
    total_entries      bigint NOT NULL
        CONSTRAINT drawing_seals_total_entries_exact CHECK (total_entries < 9007199254740992), -- 2^53
    cut_off            timestamptz NOT NULL,
    prize_name         text NOT NULL CONSTRAINT drawing_seals_prize_name_short CHECK (length(prize_name) BETWEEN 1 AND 120),
    prize_value        text NOT NULL CONSTRAINT drawing_seals_prize_value_short CHECK (length(prize_value) <= 120),
    created_at         timestamptz NOT NULL,
    CONSTRAINT drawing_seals_announcement_fkey FOREIGN KEY (drawing_id, announcement)
        REFERENCES drawing_announcements (drawing_id, number),
    CONSTRAINT drawing_seals_log_id_key UNIQUE (log_id),
    CONSTRAINT drawing_seals_participants_hold_entries CHECK (total_participants BETWEEN 1 AND total_entries)
);

COMMENT ON TABLE drawing_seals IS 'What was published when the list of a drawing was frozen. The list is in drawing_chunks.';

CREATE TABLE drawing_voids (
    drawing_id       bigint CONSTRAINT drawing_voids_pkey PRIMARY KEY
        CONSTRAINT drawing_voids_drawing_id_fkey REFERENCES drawings (id),
    reason           text NOT NULL CONSTRAINT drawing_voids_reason_short CHECK (length(reason) BETWEEN 1 AND 500),
    log_id           bigint NOT NULL CONSTRAINT drawing_voids_log_id_fkey REFERENCES drawing_audit_logs (id)
        DEFERRABLE INITIALLY DEFERRED,
    admin_session_id bigint,
    created_at       timestamptz NOT NULL,
    CONSTRAINT drawing_voids_log_id_key UNIQUE (log_id)
);

COMMENT ON TABLE drawing_voids IS 'Drawings that ended without a winner.';
COMMENT ON COLUMN drawing_voids.admin_session_id IS 'Null when the server did it, because the raffle was empty';

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

COMMENT ON TABLE drawing_ranks IS 'The winner of a drawing of version 2 (rank 0) and the alternates.';

CREATE TABLE retired_commitments (
    commitment_id bigint CONSTRAINT retired_commitments_pkey PRIMARY KEY
        CONSTRAINT retired_commitments_commitment_id_fkey REFERENCES drawing_commitments (id),
    log_id        bigint NOT NULL CONSTRAINT retired_commitments_log_id_fkey REFERENCES drawing_audit_logs (id)
        DEFERRABLE INITIALLY DEFERRED
);

COMMENT ON TABLE retired_commitments IS 'Commitments of version 1 that no drawing will use.';

CREATE TABLE raffle_prizes (
    landing_page     text CONSTRAINT raffle_prizes_pkey PRIMARY KEY CONSTRAINT raffle_prizes_landing_page_known
        CHECK (landing_page IN ('garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    name             text NOT NULL CONSTRAINT raffle_prizes_name_short CHECK (length(name) BETWEEN 1 AND 120),
    value            text NOT NULL CONSTRAINT raffle_prizes_value_short CHECK (length(value) <= 120),
    admin_session_id bigint,
    updated_at       timestamptz NOT NULL DEFAULT now()
);

COMMENT ON TABLE raffle_prizes IS 'The prize that staff set for the next drawing of a raffle; without a row it is the one of the page.';

-- Drawings that were drawn, of both versions.
ALTER TABLE drawing_results
    ADD COLUMN scheme smallint NOT NULL DEFAULT 2 CONSTRAINT drawing_results_scheme_known CHECK (scheme IN (1, 2)),
    ADD COLUMN beacon_signature bytea
        CONSTRAINT drawing_results_beacon_signature_bytes CHECK (length(beacon_signature) = 48),
    ADD COLUMN randomness bytea CONSTRAINT drawing_results_randomness_bytes CHECK (length(randomness) = 32),
    ALTER COLUMN commitment_id DROP NOT NULL,
    ALTER COLUMN admin_session_id DROP NOT NULL;
COMMENT ON COLUMN drawing_results.commitment_id IS 'Version 1 only';
COMMENT ON COLUMN drawing_results.admin_session_id IS 'Null when the server drew by itself';
COMMENT ON COLUMN drawing_results.beacon_signature IS 'Null when the beacon was off, and for version 1';
COMMENT ON COLUMN drawing_results.randomness IS 'The SHA-256 of the signature; zeros when the beacon was off; null for version 1';

-- allow constraint: the table has one row for each drawing
ALTER TABLE drawing_results
    ADD CONSTRAINT drawing_results_version_1 CHECK (
        scheme <> 1
        OR commitment_id IS NOT NULL AND admin_session_id IS NOT NULL AND num_nonnulls(beacon_signature, randomness) = 0
    ),
    ADD CONSTRAINT drawing_results_version_2 CHECK (scheme <> 2 OR commitment_id IS NULL AND randomness IS NOT NULL);

INSERT INTO drawings (id, scheme, landing_page, is_additional, status, commitment, seed_source, chain, idempotency_key,
                      admin_session_id, created_at)
SELECT result.id, 1, result.landing_page, false, 'drawn', commitment.commitment, commitment.source, 'off',
       result.idempotency_key, result.admin_session_id, result.created_at
FROM drawing_results AS result
JOIN drawing_commitments AS commitment ON commitment.id = result.commitment_id;

-- allow drop: the next statement replaces it by a wider one
-- allow constraint: the log has a few entries for each drawing
ALTER TABLE drawing_audit_logs
    DROP CONSTRAINT drawing_audit_logs_action_known,
    ADD CONSTRAINT drawing_audit_logs_action_known CHECK (
        action IN (
            'commitment_opened', 'drawing_announced', 'drawing_sealed', 'drawing_performed', 'drawing_void', 'seal_refused',
            'checkpoint'
        )
    ),
    DROP CONSTRAINT drawing_audit_logs_drawing_id_fkey,
    ADD CONSTRAINT drawing_audit_logs_drawing_id_fkey FOREIGN KEY (drawing_id) REFERENCES drawings (id)
        DEFERRABLE INITIALLY DEFERRED;

-- The log has one seal per drawing, and at most one end without a winner.
-- allow index: the log has a few entries for each drawing
CREATE UNIQUE INDEX drawing_audit_logs_sealed_idx ON drawing_audit_logs (drawing_id) WHERE action = 'drawing_sealed';
-- allow index: the log has a few entries for each drawing
CREATE UNIQUE INDEX drawing_audit_logs_void_idx ON drawing_audit_logs (drawing_id) WHERE action = 'drawing_void';
-- allow index: the log has a few entries for each drawing
CREATE INDEX drawing_audit_logs_checkpoint_idx ON drawing_audit_logs (id) WHERE action = 'checkpoint';

-- allow drop: servers of the version before add rows to both tables, as the trigger below does
-- allow constraint: a list has one chunk for each 4,096 entrants
ALTER TABLE drawing_chunks
    DROP CONSTRAINT drawing_chunks_drawing_id_fkey,
    ADD CONSTRAINT drawing_chunks_drawing_id_fkey FOREIGN KEY (drawing_id) REFERENCES drawings (id)
        DEFERRABLE INITIALLY DEFERRED;

-- allow constraint: the table has one row for each drawing
ALTER TABLE drawing_results
    ADD CONSTRAINT drawing_results_id_fkey FOREIGN KEY (id) REFERENCES drawings (id) DEFERRABLE INITIALLY DEFERRED;

-- A drawing begins announced, with a seed that nobody knows.
CREATE FUNCTION check_new_drawing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> 'announced' THEN
        RAISE EXCEPTION 'a drawing begins announced' USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (SELECT FROM drawings JOIN drawing_seals ON drawing_id = id WHERE commitment = NEW.commitment) THEN
        RAISE EXCEPTION 'a seal has revealed the seed of drawing %', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION check_drawing_step() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    kept drawings := NEW;
BEGIN
    kept.status := OLD.status;
    IF kept IS DISTINCT FROM OLD THEN
        RAISE EXCEPTION 'only the status of a drawing changes' USING ERRCODE = 'restrict_violation';
    END IF;
    IF (OLD.status, NEW.status)
        NOT IN (('announced', 'sealed'), ('announced', 'void'), ('sealed', 'drawn'), ('sealed', 'void')) THEN
        RAISE EXCEPTION 'a drawing that is % does not become %', OLD.status, NEW.status
            USING ERRCODE = 'restrict_violation';
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

-- The row of a step makes the step.
CREATE FUNCTION set_drawing_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE drawings SET status = TG_ARGV[0] WHERE id = NEW.drawing_id;
    RETURN NULL;
END
$$;

-- As set_drawing_status for version 2. A drawing of version 1 has this row only.
CREATE FUNCTION set_drawing_drawn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.scheme = 2 THEN
        UPDATE drawings SET status = 'drawn' WHERE id = NEW.id;
        RETURN NULL;
    END IF;
    INSERT INTO drawings (id, scheme, landing_page, is_additional, status, commitment, seed_source, chain,
                          idempotency_key, admin_session_id, created_at)
    SELECT NEW.id, 1, NEW.landing_page, false, 'drawn', commitment.commitment, commitment.source, 'off',
           NEW.idempotency_key, NEW.admin_session_id, NEW.created_at
    FROM drawing_commitments AS commitment
    WHERE commitment.id = NEW.commitment_id;
    RETURN NULL;
END
$$;

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

CREATE TRIGGER drawings_new BEFORE INSERT ON drawings
    FOR EACH ROW WHEN (NEW.scheme = 2) EXECUTE FUNCTION check_new_drawing();
CREATE TRIGGER drawings_step BEFORE UPDATE ON drawings
    FOR EACH ROW EXECUTE FUNCTION check_drawing_step();
CREATE TRIGGER drawings_kept BEFORE DELETE OR TRUNCATE ON drawings
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_announcements_new BEFORE INSERT ON drawing_announcements
    FOR EACH ROW EXECUTE FUNCTION check_announcement();
CREATE TRIGGER drawing_seals_step AFTER INSERT ON drawing_seals
    FOR EACH ROW EXECUTE FUNCTION set_drawing_status('sealed');
CREATE TRIGGER drawing_voids_step AFTER INSERT ON drawing_voids
    FOR EACH ROW EXECUTE FUNCTION set_drawing_status('void');
CREATE TRIGGER drawing_results_step AFTER INSERT ON drawing_results
    FOR EACH ROW EXECUTE FUNCTION set_drawing_drawn();
CREATE CONSTRAINT TRIGGER drawing_seals_in_time AFTER INSERT ON drawing_seals
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_seal();

CREATE TRIGGER drawing_announcements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_announcements
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_seals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_voids_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_voids
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER drawing_ranks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON drawing_ranks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER retired_commitments_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON retired_commitments
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
