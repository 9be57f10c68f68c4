-- Claims: how a winner proves the number, submits the details and gets the prize.

CREATE TABLE winner_verification (
    id                    bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT winner_verification_pkey PRIMARY KEY,
    drawing_id            bigint NOT NULL CONSTRAINT winner_verification_drawing_id_fkey REFERENCES drawings (id),
    rank                  integer NOT NULL CONSTRAINT winner_verification_rank_positive CHECK (rank >= 0),
    winner_id             bigint NOT NULL CONSTRAINT winner_verification_winner_id_fkey REFERENCES users (id),
    token_hash            bytea NOT NULL CONSTRAINT winner_verification_token_hash_key UNIQUE
        CONSTRAINT winner_verification_token_hash_length CHECK (length(token_hash) = 32),
    status                text NOT NULL DEFAULT 'pending' CONSTRAINT winner_verification_status_known CHECK (status IN (
        'pending', 'code_verified', 'submitted', 'verified', 'shipped', 'delivered', 'declined', 'expired', 'unreachable',
        'rejected'
    )),
    verification_method   text CONSTRAINT winner_verification_method_known
        CHECK (verification_method IN ('code', 'call', 'visitor_token')),
    verified_at           timestamptz, -- when the number was proved
    confirmed_by_two      boolean NOT NULL DEFAULT false,
    call_code             bytea -- an HMAC
        CONSTRAINT winner_verification_call_code_key UNIQUE
        CONSTRAINT winner_verification_call_code_length CHECK (length(call_code) = 32),
    call_code_at          timestamptz,
    browser_hash          bytea CONSTRAINT winner_verification_browser_hash_length CHECK (length(browser_hash) = 32),
    verification_data     bytea, -- name and address
    submitted_at          timestamptz,
    started_at            timestamptz, -- when the winner's time began; a pause moves it
    expires_at            timestamptz, -- 14 days later
    paused_at             timestamptz,
    needs_call            boolean NOT NULL DEFAULT false,
    notifications_sent    integer NOT NULL DEFAULT 0,
    last_notification_at  timestamptz,
    reminders             integer NOT NULL DEFAULT 0,
    reject_reason         text CONSTRAINT winner_verification_reject_reason_known CHECK (
        reject_reason IN ('underage', 'residence', 'affiliated', 'fraud', 'payment_reversed', 'false_details')
    ),
    reject_note           text
        CONSTRAINT winner_verification_reject_note_bounded CHECK (length(reject_note) BETWEEN 1 AND 500),
    rejected_at           timestamptz,
    rejected_by_two       boolean NOT NULL DEFAULT false,
    objection             text
        CONSTRAINT winner_verification_objection_bounded CHECK (length(objection) BETWEEN 1 AND 500),
    objected_at           timestamptz,
    approved_at           timestamptz,
    approved_by_two       boolean NOT NULL DEFAULT false,
    public_name           text, -- the first name of a winner who agreed, once the claim is approved
    public_state          text,
    carrier               text
        CONSTRAINT winner_verification_carrier_bounded CHECK (length(carrier) BETWEEN 1 AND 40),
    tracking_number       text
        CONSTRAINT winner_verification_tracking_number_known CHECK (tracking_number ~ '^[A-Za-z0-9-]{6,40}$'),
    shipped_at            timestamptz,
    delivered_at          timestamptz,
    ended_at              timestamptz,
    details_erased_at     timestamptz,
    created_at            timestamptz NOT NULL,
    CONSTRAINT winner_verification_rank_once UNIQUE (drawing_id, rank),
    CONSTRAINT winner_verification_verified_how CHECK ((verification_method IS NULL) = (verified_at IS NULL)),
    CONSTRAINT winner_verification_deadline_whole CHECK ((started_at IS NULL) = (expires_at IS NULL)),
    CONSTRAINT winner_verification_call_code_whole CHECK ((call_code IS NULL) = (call_code_at IS NULL)),
    CONSTRAINT winner_verification_rejection_whole CHECK (
        (reject_reason IS NULL) = (rejected_at IS NULL) AND (reject_note IS NULL) = (rejected_at IS NULL)
    ),
    CONSTRAINT winner_verification_objection_whole CHECK ((objection IS NULL) = (objected_at IS NULL)),
    CONSTRAINT winner_verification_shipment_whole CHECK (
        (carrier IS NULL) = (shipped_at IS NULL) AND (tracking_number IS NULL) = (shipped_at IS NULL)
    ),
    CONSTRAINT winner_verification_public_whole CHECK ((public_name IS NULL) = (public_state IS NULL))
);
COMMENT ON TABLE winner_verification IS 'The claims of drawn entrants: one for each rank whose turn has come.';
COMMENT ON COLUMN winner_verification.token_hash IS 'The SHA-256 of the secret in the claim''s link.';
COMMENT ON COLUMN winner_verification.call_code IS 'A code that was read out on a call, until it is used';
COMMENT ON COLUMN winner_verification.verification_data IS 'Encrypted; erased 90 days after the claim has ended.';
-- Whether one or two people decided is public.
COMMENT ON COLUMN winner_verification.rejected_by_two IS 'Whether a second person agreed to the rejection';
COMMENT ON COLUMN winner_verification.approved_by_two IS 'Whether a second person agreed to the approval';
COMMENT ON COLUMN winner_verification.confirmed_by_two IS 'Whether a second person agreed to confirm the number';

-- An entrant's own page asks for their claims.
CREATE INDEX winner_verification_winner_id_idx ON winner_verification (winner_id);
CREATE INDEX winner_verification_live_idx ON winner_verification (id)
    WHERE ended_at IS NULL OR details_erased_at IS NULL;

-- A claim belongs to a rank, and so to the entrant whom it drew.
CREATE FUNCTION keep_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'drawing, rank, entrant and token of a claim never change' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER winner_verification_keep_claim
    BEFORE UPDATE OF id, drawing_id, rank, winner_id, token_hash, created_at OR DELETE OR TRUNCATE ON winner_verification
    FOR EACH STATEMENT EXECUTE FUNCTION keep_claim();

CREATE TABLE winner_verification_events (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT winner_verification_events_pkey PRIMARY KEY,
    claim_id   bigint NOT NULL
        CONSTRAINT winner_verification_events_claim_id_fkey REFERENCES winner_verification (id),
    kind       text NOT NULL CONSTRAINT winner_verification_events_kind_known CHECK (kind IN (
        'resent', 'reminded', 'code_sent', 'number_verified', 'called', 'number_confirmed', 'submitted', 'declined',
        'approved', 'rejected', 'objected', 'shipped', 'delivered', 'expired', 'unreachable', 'passed_on', 'details_erased'
    )),
    note       text CONSTRAINT winner_verification_events_note_bounded CHECK (length(note) BETWEEN 1 AND 500),
    session_id bigint, -- no foreign key: sessions are deleted, claims are kept
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE winner_verification_events IS 'What happened to claims, and which member of staff did it. Append-only.';

CREATE INDEX winner_verification_events_claim_id_idx ON winner_verification_events (claim_id, id);

-- The note may be erased, as the number in drawing_results.
CREATE TRIGGER winner_verification_events_append_only
    BEFORE UPDATE OF id, claim_id, kind, session_id, created_at OR DELETE OR TRUNCATE ON winner_verification_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER winner_verification_events_only_erased BEFORE UPDATE OF note ON winner_verification_events
    FOR EACH ROW WHEN (NEW.note IS NOT NULL) EXECUTE FUNCTION refuse_change();

-- Texts of claims, codes included.
CREATE TABLE winner_verification_texts (
    claim_id   bigint NOT NULL
        CONSTRAINT winner_verification_texts_claim_id_fkey REFERENCES winner_verification (id),
    message_id bigint NOT NULL, -- no foreign key: it would slow down the clearing of campaigns
    CONSTRAINT winner_verification_texts_pkey PRIMARY KEY (claim_id, message_id)
);
