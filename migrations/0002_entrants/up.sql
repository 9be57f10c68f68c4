-- Entrants, the ledger of their entries, and what they consented to.

-- The first digit and the last twelve of a random UUID are random; version and variant are among the others.
CREATE FUNCTION random_52_bits() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || left(uuid, 1) || right(uuid, 12))::bit(52)::bigint
    FROM (SELECT gen_random_uuid()::text AS uuid) AS random
$$;

-- For SQL scripts that insert entrants without an id. The program draws ids itself. Ids that count up would let anybody find
-- every entrant.
CREATE FUNCTION random_user_id() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    drawn bigint;
BEGIN
    LOOP
        drawn := random_52_bits();
        EXIT WHEN drawn > 0 AND NOT EXISTS (SELECT FROM users WHERE id = drawn);
    END LOOP;
    RETURN drawn;
END
$$;

CREATE TABLE users (
    id                 bigint NOT NULL DEFAULT random_user_id() CONSTRAINT users_pkey PRIMARY KEY
        CONSTRAINT users_id_52_bits CHECK (id BETWEEN 1 AND 4503599627370495),
    sequence_number    bigserial CONSTRAINT users_sequence_number_key UNIQUE,
    phone_number       text CONSTRAINT users_phone_number_key UNIQUE
        CONSTRAINT users_phone_number_e164 CHECK (phone_number ~ '^\+[0-9]{8,15}$'),
    person_salt        bytea CONSTRAINT users_person_salt_length CHECK (length(person_salt) = 32),
    person_tag         bytea NOT NULL CONSTRAINT users_person_tag_sha256 CHECK (length(person_tag) = 32),
    referral_code      text NOT NULL CONSTRAINT users_referral_code_key UNIQUE
        CONSTRAINT users_referral_code_upper CHECK (referral_code = upper(referral_code) AND length(referral_code) = 8),
    landing_page       text NOT NULL DEFAULT 'garden-bag' CONSTRAINT users_landing_page_known
        CHECK (landing_page IN ('garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living')),
    base_entries       bigint NOT NULL DEFAULT 1 CONSTRAINT users_base_entries_positive CHECK (base_entries >= 0),
    bonus_entries      bigint NOT NULL DEFAULT 0 CONSTRAINT users_bonus_entries_positive CHECK (bonus_entries >= 0),
    paid_entries       bigint NOT NULL DEFAULT 0 CONSTRAINT users_paid_entries_positive CHECK (paid_entries >= 0),
    held_entries       bigint NOT NULL DEFAULT 0
        CONSTRAINT users_held_entries_bounded CHECK (held_entries BETWEEN 0 AND paid_entries),
    total_entries      bigint NOT NULL GENERATED ALWAYS AS (base_entries + bonus_entries + paid_entries) STORED,
    stripe_customer_id text
        CONSTRAINT users_stripe_customer_id_short CHECK (length(stripe_customer_id) BETWEEN 1 AND 255),
    ip_address         inet,
    user_agent         text,
    fingerprint        text,
    sign_up_event_id   text,
    is_flagged         boolean NOT NULL DEFAULT false,
    flag_reason        text,
    flag_public_reason text CONSTRAINT users_flag_public_reason_known
        CHECK (flag_public_reason IN ('several_accounts', 'duplicate', 'automated', 'not_eligible', 'rules')),
    flag_evidence      jsonb CONSTRAINT users_flag_evidence_list CHECK (jsonb_typeof(flag_evidence) = 'array'),
    flagged_at         timestamptz,
    unflagged_at       timestamptz, -- staff removed the flag; fraud detection skips this entrant from then on
    signed_out_at      timestamptz,
    kept_token_hash    bytea CONSTRAINT users_kept_token_hash_length CHECK (length(kept_token_hash) = 32),
    created_at         timestamptz NOT NULL DEFAULT now(),
    erased_at          timestamptz,
    CONSTRAINT users_sign_out_whole CHECK ((signed_out_at IS NULL) = (kept_token_hash IS NULL)),
    CONSTRAINT users_flagged_when CHECK (is_flagged = (flagged_at IS NOT NULL)),
    CONSTRAINT users_flag_public_reason_of_flag CHECK (is_flagged OR flag_public_reason IS NULL),
    CONSTRAINT users_number_until_erased CHECK ((phone_number IS NULL) = (erased_at IS NOT NULL)),
    CONSTRAINT users_erased_whole CHECK (
        erased_at IS NULL
        OR num_nonnulls(ip_address, user_agent, fingerprint, sign_up_event_id, stripe_customer_id, person_salt,
                        flag_evidence, signed_out_at) = 0
    )
) WITH (fillfactor = 90); -- room for heap-only updates of a popular referrer's counters

COMMENT ON COLUMN users.sequence_number IS
    'The order in which entrants came, for roll-ups, with gaps. It is never shown: it can be counted.';
COMMENT ON COLUMN users.person_salt IS '32 random bytes; null after the person was erased';
COMMENT ON COLUMN users.person_tag IS
    'SHA-256(0x04, person_salt, the number at the time of entering as ASCII with its plus sign); never changes';
COMMENT ON COLUMN users.held_entries IS
    'Paid entries of disputed purchases. They count in total_entries, which entrants see, but not in drawings.';
COMMENT ON COLUMN users.flag_public_reason IS 'What the entrant reads about a flag of staff.';
COMMENT ON COLUMN users.flag_evidence IS 'What fraud detection found; null without a flag and for a flag of staff.';
COMMENT ON COLUMN users.signed_out_at IS 'When the entrant signed out all browsers but one; earlier tokens of others are not good.';
COMMENT ON COLUMN users.kept_token_hash IS 'The SHA-256 of the token of the browser that stayed';
COMMENT ON COLUMN users.erased_at IS 'When the person was erased. The id stays for the ledger, the drawings and the logs.';

CREATE INDEX users_ip_address_idx ON users (ip_address, sequence_number) WHERE ip_address IS NOT NULL;
CREATE INDEX users_flagged_idx ON users (flagged_at DESC, id DESC) WHERE is_flagged;
-- For the few entrants whose entries a dispute holds: a seal counts them, and would read all entrants otherwise.
CREATE INDEX users_held_entries_idx ON users (id) WHERE held_entries > 0;
-- The newest account of each network that is neither flagged nor was cleared by staff. The dashboard shows it for fifty
-- networks, and some have thousands of flagged accounts.
CREATE INDEX users_open_accounts_idx ON users (ip_address, created_at, sequence_number)
    WHERE ip_address IS NOT NULL AND NOT is_flagged AND unflagged_at IS NULL;
-- Staff search for the last four digits of a number: a hundred of a million entrants, the newest first.
CREATE INDEX users_last_four_idx ON users (right(phone_number, 4), sequence_number);
-- The newest entrants of one raffle, which may be a small one.
CREATE INDEX users_landing_page_idx ON users (landing_page, sequence_number);
-- The list of a drawing: the entrants of one raffle in the order of their tags.
CREATE UNIQUE INDEX users_person_tag_key ON users (landing_page, person_tag);

-- The person tag binds an entrant to the number in the lists of drawings (docs/drawing.md).

-- For SQL scripts that insert entrants without a tag. Two random UUIDs have 244 random bits; the program makes salts of 256.
CREATE FUNCTION make_person_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.person_salt := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    NEW.person_tag := sha256('\x04'::bytea || NEW.person_salt || convert_to(NEW.phone_number, 'UTF8'));
    RETURN NEW;
END
$$;
CREATE TRIGGER users_make_person_tag BEFORE INSERT ON users
    FOR EACH ROW WHEN (NEW.person_tag IS NULL) EXECUTE FUNCTION make_person_tag();

-- Whoever was erased stays erased.
CREATE FUNCTION keep_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an erased entrant stays erased' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER users_keep_erased BEFORE UPDATE OF erased_at ON users
    FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL AND NEW.erased_at IS DISTINCT FROM OLD.erased_at) EXECUTE FUNCTION keep_erased();

CREATE FUNCTION keep_person_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'person_tag never changes, and person_salt only becomes null' USING ERRCODE = 'restrict_violation';
END
$$;
-- AFTER, because foreign keys read the old row after each update anyway, and a BEFORE trigger would lock it once more.
CREATE TRIGGER users_keep_person_tag AFTER UPDATE ON users
    FOR EACH ROW WHEN (
        OLD.person_tag IS NOT NULL
        AND (NEW.person_tag IS DISTINCT FROM OLD.person_tag
             OR (NEW.person_salt IS NOT NULL AND NEW.person_salt IS DISTINCT FROM OLD.person_salt))
    ) EXECUTE FUNCTION keep_person_tag();

-- The database sets the times of flags and of ledger rows, because they decide who takes part in a drawing with what. A time
-- that a statement passes is overwritten. One statement's flags have one time.
CREATE FUNCTION set_flag_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.is_flagged THEN
        NEW.flagged_at := OLD.flagged_at;
    ELSE
        NEW.flagged_at := statement_timestamp();
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER users_set_flag_time_on_insert BEFORE INSERT ON users
    FOR EACH ROW WHEN (NEW.is_flagged) EXECUTE FUNCTION set_flag_time();
CREATE TRIGGER users_set_flag_time_on_update BEFORE UPDATE ON users
    FOR EACH ROW WHEN (NEW.is_flagged AND (NOT OLD.is_flagged OR NEW.flagged_at IS DISTINCT FROM OLD.flagged_at))
    EXECUTE FUNCTION set_flag_time();

-- The evidence goes with its flag, whoever removes it.
CREATE FUNCTION drop_flag_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.flag_evidence := NULL;
    RETURN NEW;
END
$$;
CREATE TRIGGER users_drop_flag_evidence BEFORE UPDATE ON users
    FOR EACH ROW WHEN (NOT NEW.is_flagged AND NEW.flag_evidence IS NOT NULL) EXECUTE FUNCTION drop_flag_evidence();

CREATE TABLE entry_ledger (
    id         bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT entry_ledger_pkey PRIMARY KEY,
    user_id    bigint NOT NULL CONSTRAINT entry_ledger_user_id_fkey REFERENCES users (id),
    kind       text NOT NULL CONSTRAINT entry_ledger_kind_known CHECK (kind IN (
        'base', 'imported', 'referral', 'referral_reversed', 'referral_restored', 'clearing', 'free', 'purchase', 'refund',
        'dispute_held', 'dispute_released'
    )),
    delta      bigint NOT NULL CONSTRAINT entry_ledger_delta_something CHECK (delta <> 0),
    cause_id   bigint NOT NULL,
    step       bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT entry_ledger_cause_once UNIQUE (user_id, kind, cause_id, step),
    CONSTRAINT entry_ledger_step_known CHECK (
        step = 0 OR kind IN ('referral_reversed', 'referral_restored', 'refund', 'dispute_held', 'dispute_released')
    )
);

COMMENT ON TABLE entry_ledger IS 'Append-only: the counters on users are its sums.';
COMMENT ON COLUMN entry_ledger.cause_id IS
    'base and imported: the entrant; referral, referral_reversed and referral_restored: the friend; clearing: its number; free: the date of the claim as a number, such as 20261123; purchase, refund, dispute_held and dispute_released: the purchase';
COMMENT ON COLUMN entry_ledger.step IS
    'the number of the change, for causes that change entries several times (flags of a friend; refunds and disputes of a purchase); else 0';

-- For the rows after the cut-off of a drawing, which stand at the end of the table. New pages are summarized without
-- waiting for a vacuum.
CREATE INDEX entry_ledger_created_at_idx ON entry_ledger USING brin (created_at) WITH (autosummarize = on);
-- The console counts the entries that a clearing of referrals would take: all bonus entries but the free ones.
CREATE INDEX entry_ledger_free_idx ON entry_ledger (user_id) INCLUDE (delta) WHERE kind = 'free';
-- A seal counts the entries of imported people.
CREATE INDEX entry_ledger_imported_idx ON entry_ledger (user_id) INCLUDE (delta, created_at) WHERE kind = 'imported';

CREATE TRIGGER entry_ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The time is taken after the statement has locked the table. So whoever sees, after a moment, that nobody holds that lock any
-- more knows all rows from before that moment.
--
-- A sign-up writes the friend's entry, and then the referrer's entry for it. Both rows get one time, so that a cut-off between
-- the two statements does not split a sign-up. This is still a time at which the transaction held the lock: only a row that the
-- same transaction wrote is looked at.
CREATE FUNCTION set_ledger_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.created_at := NULL;
    IF NEW.kind = 'referral' THEN
        SELECT created_at INTO NEW.created_at
        FROM entry_ledger
        WHERE user_id = NEW.cause_id AND kind = 'base' AND xmin = pg_current_xact_id()::xid;
    END IF;
    NEW.created_at := coalesce(NEW.created_at, clock_timestamp());
    RETURN NEW;
END
$$;
CREATE TRIGGER entry_ledger_set_time BEFORE INSERT ON entry_ledger
    FOR EACH ROW EXECUTE FUNCTION set_ledger_time();

CREATE TABLE user_consent (
    id           bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT user_consent_pkey PRIMARY KEY,
    user_id      bigint NOT NULL CONSTRAINT user_consent_user_id_fkey REFERENCES users (id),
    consent_type text NOT NULL CONSTRAINT user_consent_type_known CHECK (consent_type IN ('sms_campaigns')),
    version      text NOT NULL, -- of the consent's wording
    act          text NOT NULL
        CONSTRAINT user_consent_act_known CHECK (act IN ('form', 'default', 'switch', 'start_keyword')),
    granted      boolean NOT NULL,
    ip_address   inet,
    user_agent   text,
    granted_at   timestamptz,
    revoked_at   timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT user_consent_granted_when CHECK (granted = (granted_at IS NOT NULL))
);
COMMENT ON COLUMN user_consent.revoked_at IS 'when a text that said STOP revoked it';

CREATE INDEX user_consent_user_id_idx ON user_consent (user_id, consent_type, id DESC);
